//! The allocators under comparison, ours and those of others, behind one small trait.

use bitmap_allocator::{BitAlloc, BitAlloc4K, BitAlloc64K};
use buddy_system_allocator::FrameAllocator;
use locox::bits::Word;
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::{Lease, Pool, Strategy, words};

/// Grants 2^`size` nodes and takes them back.
pub(crate) trait Subject {
    type Grant: Copy;
    fn new(dims: u8) -> Self;
    fn grant(&mut self, size: u8) -> Option<Self::Grant>;
    fn take_back(&mut self, grant: Self::Grant);
}

impl<T: Strategy> Subject for Pool<T, Box<[Word]>> {
    type Grant = Lease;

    fn new(dims: u8) -> Self {
        let storage = vec![0; words::<T>(dims)].into_boxed_slice();
        Self::new(PoolId(0), Dim::new(dims).unwrap(), storage).unwrap()
    }

    fn grant(&mut self, size: u8) -> Option<Lease> {
        self.allocate(Dim::new(size)?).ok()
    }

    fn take_back(&mut self, grant: Lease) {
        self.release(grant).unwrap();
    }
}

impl Subject for FrameAllocator<25> {
    type Grant = (usize, usize);

    fn new(dims: u8) -> Self {
        let mut frames = Self::new();
        frames.add_frame(0, 1 << dims);
        frames
    }

    fn grant(&mut self, size: u8) -> Option<Self::Grant> {
        let nodes = 1 << size;
        self.alloc(nodes).map(|first| (first, nodes))
    }

    fn take_back(&mut self, (first, nodes): Self::Grant) {
        self.dealloc(first, nodes);
    }
}

/// `bitmap-allocator`, which has a type for each size of machine.
pub(crate) enum Bitmap {
    Small(Box<BitAlloc4K>),
    Large(Box<BitAlloc64K>),
}

impl Subject for Bitmap {
    type Grant = (usize, usize);

    fn new(dims: u8) -> Self {
        let mut bitmap = match dims {
            ..=12 => Self::Small(Box::new(BitAlloc4K::DEFAULT)),
            _ => Self::Large(Box::new(BitAlloc64K::DEFAULT)),
        };
        match &mut bitmap {
            Self::Small(bits) => bits.insert(0..1 << dims),
            Self::Large(bits) => bits.insert(0..1 << dims),
        }
        bitmap
    }

    fn grant(&mut self, size: u8) -> Option<Self::Grant> {
        let nodes = 1 << size;
        let first = match self {
            Self::Small(bits) => bits.alloc_contiguous(None, nodes, size.into()),
            Self::Large(bits) => bits.alloc_contiguous(None, nodes, size.into()),
        };
        first.map(|first| (first, nodes))
    }

    fn take_back(&mut self, (first, nodes): Self::Grant) {
        match self {
            Self::Small(bits) => bits.dealloc_contiguous(first, nodes),
            Self::Large(bits) => bits.dealloc_contiguous(first, nodes),
        };
    }
}

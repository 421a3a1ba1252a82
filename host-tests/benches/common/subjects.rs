//! The allocators under comparison, ours and those of others, behind one small trait.

use bitmap_allocator::{BitAlloc, BitAlloc4K, BitAlloc64K};
use buddy_system_allocator::FrameAllocator;
use locox::bits::Word;
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::{
    Allocator, Buddy, Complete, FreeList, GrayCode, Lease, buddy, complete, free_list, gray_code,
};

/// Grants 2^`size` nodes and takes them back.
pub(crate) trait Subject {
    type Grant: Copy;
    const NAME: &'static str;
    fn new(dims: u8) -> Self;
    fn grant(&mut self, size: u8) -> Option<Self::Grant>;
    fn take_back(&mut self, grant: Self::Grant);
    /// Bytes of state for 2^`dims` nodes, as far as they can be known.
    fn bytes(dims: u8) -> Option<usize>;
}

macro_rules! strategy {
    ($pool:ident, $module:ident, $name:literal) => {
        impl Subject for $pool<Box<[Word]>> {
            type Grant = Lease;
            const NAME: &'static str = $name;

            fn new(dims: u8) -> Self {
                let dims = Dim::new(dims).unwrap();
                let storage = vec![0; $module::words(dims)].into_boxed_slice();
                $pool::new(PoolId(0), dims, storage).unwrap()
            }

            fn grant(&mut self, size: u8) -> Option<Lease> {
                self.allocate(Dim::new(size)?).ok()
            }

            fn take_back(&mut self, grant: Lease) {
                self.release(grant).unwrap();
            }

            fn bytes(dims: u8) -> Option<usize> {
                let words = $module::words(Dim::new(dims)?);
                Some(words * size_of::<Word>() + size_of::<$pool<[Word; 0]>>())
            }
        }
    };
}

strategy!(Buddy, buddy, "locox buddy");
strategy!(FreeList, free_list, "locox free-list");
strategy!(GrayCode, gray_code, "locox gray-code");
strategy!(Complete, complete, "locox complete");

impl Subject for FrameAllocator<25> {
    type Grant = (usize, usize);
    const NAME: &'static str = "buddy_system_allocator 0.13";

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

    fn bytes(_: u8) -> Option<usize> {
        None // trees on the heap
    }
}

/// `bitmap-allocator`, which has a type for each size of machine.
pub(crate) enum Bitmap {
    Small(Box<BitAlloc4K>),
    Large(Box<BitAlloc64K>),
}

impl Subject for Bitmap {
    type Grant = (usize, usize);
    const NAME: &'static str = "bitmap-allocator 0.4";

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

    fn bytes(dims: u8) -> Option<usize> {
        Some(if dims <= 12 { size_of::<BitAlloc4K>() } else { size_of::<BitAlloc64K>() })
    }
}

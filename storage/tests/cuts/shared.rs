//! A flash that several owners have.

use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use locox_storage::{Cut, Nor};
use std::cell::Cell;
use std::sync::{Arc, Mutex};

/// What an owner does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Read,
    Write,
    Erase,
}

type Hook = Box<dyn FnMut(Operation) + Send>;

/// A part of 1 to 64 bytes that is written at once; the flash is that of all clones.
#[derive(Clone)]
pub(crate) struct Shared<const WRITE: usize> {
    cells: Arc<Mutex<Vec<u8>>>,
    /// Called before each operation of this owner.
    hook: Arc<Mutex<Option<Hook>>>,
    /// Until the power of this owner is cut, as of [`Nor`].
    left: Arc<Mutex<u32>>,
}

impl<const WRITE: usize> Shared<WRITE> {
    pub(crate) const PAGE: usize = 1024;

    pub(crate) fn erased() -> Self {
        let cells = vec![0xFF; 2 * Self::PAGE];
        Self { cells: Arc::new(Mutex::new(cells)), hook: Arc::default(), left: forever() }
    }

    /// For another owner of the same flash.
    pub(crate) fn other(&self) -> Self {
        Self { cells: Arc::clone(&self.cells), hook: Arc::default(), left: forever() }
    }

    /// A flash of its own with the same contents.
    pub(crate) fn copied(&self) -> Self {
        let cells = self.cells.lock().unwrap().clone();
        Self { cells: Arc::new(Mutex::new(cells)), ..Self::erased() }
    }

    pub(crate) fn before_each(&self, hook: impl FnMut(Operation) + Send + 'static) {
        *self.hook.lock().unwrap() = Some(Box::new(hook));
    }

    pub(crate) fn cut_after(&self, writes: u32) {
        *self.left.lock().unwrap() = writes;
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut [u8])) {
        change(&mut self.cells.lock().unwrap());
    }

    fn nor<T>(&self, next: Operation, then: impl FnOnce(&mut Nor<'_>) -> T) -> T {
        // Not held while it runs: it may be set anew.
        let hook = self.hook.lock().unwrap().take();
        if let Some(mut hook) = hook {
            hook(next);
            self.hook.lock().unwrap().get_or_insert(hook);
        }
        let mut left = self.left.lock().unwrap();
        let cell = Cell::new(*left);
        let done = then(&mut Nor::new(&mut self.cells.lock().unwrap(), &cell));
        *left = cell.get();
        done
    }
}

fn forever() -> Arc<Mutex<u32>> {
    Arc::new(Mutex::new(Nor::FOR_EVER))
}

impl<const WRITE: usize> ErrorType for Shared<WRITE> {
    type Error = Cut;
}

impl<const WRITE: usize> ReadNorFlash for Shared<WRITE> {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Cut> {
        self.nor(Operation::Read, |nor| nor.read(offset, bytes))
    }

    fn capacity(&self) -> usize {
        2 * Self::PAGE
    }
}

impl<const WRITE: usize> NorFlash for Shared<WRITE> {
    const WRITE_SIZE: usize = WRITE;
    const ERASE_SIZE: usize = Self::PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Cut> {
        self.nor(Operation::Erase, |nor| nor.erase(from, to))
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Cut> {
        assert!((offset as usize).is_multiple_of(WRITE) && bytes.len().is_multiple_of(WRITE));
        self.nor(Operation::Write, |nor| nor.write(offset, bytes))
    }
}

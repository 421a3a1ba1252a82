//! Images and histories, of which every coordinator has the same functions.

use locox_c::locox_record;
use locox_c::locox_status::{self, *};
use std::ffi::c_void;
use std::mem::zeroed;
use std::ptr::null_mut;

type Export<T> =
    unsafe extern "C" fn(*const T, *mut u32, usize, *mut usize, *mut u64) -> locox_status;
type Tell<E> = Option<unsafe extern "C" fn(*const E, *mut c_void)>;

/// The functions of a coordinator `T` with effects `E`.
pub(crate) struct Functions<T, E> {
    pub(crate) export: Export<T>,
    pub(crate) load: unsafe extern "C" fn(*mut T, *const u32, usize) -> locox_status,
    pub(crate) replay: unsafe extern "C" fn(
        *mut T,
        *const locox_record,
        Tell<E>,
        *mut c_void,
        *mut u32,
        *mut u64,
    ) -> locox_status,
    pub(crate) take: unsafe extern "C" fn(*mut T, *mut E) -> locox_status,
}

/// A command of this kind has the same number in its record: the low byte of the head.
pub(crate) fn assert_numbered_alike(kind: u32, record: &locox_record) {
    assert_eq!(record.words[0] & 0xFF, kind);
}

pub(crate) fn image_of<T>(it: *const T, export: Export<T>) -> Vec<u32> {
    let (mut written, mut needed) = (77, 0);
    // SAFETY: as the calls say.
    unsafe {
        let short = export(it, null_mut(), 0, &raw mut written, &raw mut needed);
        assert_eq!((short, written), (LOCOX_TOO_SHORT, 77));
        let mut image = vec![0u32; needed as usize];
        let (to, len) = (image.as_mut_ptr(), image.len());
        let status = export(it, to, len, &raw mut written, null_mut());
        assert_eq!((status, written), (LOCOX_OK, len));
        image
    }
}

type Load<T> = unsafe extern "C" fn(*mut T, *const u32, usize) -> locox_status;
type Restore<T> = unsafe extern "C" fn(*mut T, *const u32, usize, u16) -> locox_status;

/// Its image is that of the kernel's twin; from the whole of it it goes on, exactly unless something is counted
/// anew, and in another epoch; from a part it does not.
pub(crate) fn restarted<T>(
    it: *mut T,
    (export, load, restore): (Export<T>, Load<T>, Restore<T>),
    twin: impl FnOnce(&mut dyn FnMut(u32)),
    (epoch, exact): (u16, bool),
) -> Vec<u32> {
    let (image, mut expected) = (image_of(it, export), vec![]);
    twin(&mut |word| expected.push(word));
    assert_eq!(image, expected);
    // SAFETY: as the calls say.
    unsafe {
        assert_eq!(load(it, image.as_ptr(), image.len() - 1), LOCOX_BAD_IMAGE);
        assert_eq!(load(it, image.as_ptr(), image.len()), LOCOX_OK);
        assert!(!exact || image_of(it, export) == image);
        assert_eq!(restore(it, image.as_ptr(), image.len() - 1, epoch), LOCOX_BAD_IMAGE);
        assert_eq!(restore(it, image.as_ptr(), image.len(), epoch), LOCOX_OK);
    }
    image
}

impl<T, E> Functions<T, E> {
    /// From an image and the records behind it to the present again, bit for bit.
    pub(crate) fn replayed(&self, it: *mut T, beginning: &[u32], records: &[locox_record]) {
        self.take_all(it);
        let present = image_of(it, self.export);
        // SAFETY: as the calls say.
        unsafe {
            let other = [0u32; 11];
            assert_eq!((self.load)(it, other.as_ptr(), other.len()), LOCOX_NO_IMAGE);
            assert_eq!(image_of(it, self.export), present);
            assert_eq!((self.load)(it, beginning.as_ptr(), beginning.len()), LOCOX_OK);
            for record in records {
                let mut is_new = 77;
                let replay = self.replay;
                let status = replay(it, record, None, null_mut(), &raw mut is_new, null_mut());
                assert_eq!((status, is_new), (LOCOX_OK, 1));
            }
        }
        self.take_all(it);
        assert_eq!(image_of(it, self.export), present);
    }

    fn take_all(&self, it: *mut T) {
        // SAFETY: zeros are an effect, and as the call says.
        unsafe {
            let mut effect: E = zeroed();
            while (self.take)(it, &raw mut effect) == LOCOX_OK {}
        }
    }
}

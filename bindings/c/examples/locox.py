"""A pool and a timeline from Python, by ctypes over the shared library.

    python3 locox.py LIBRARY
"""
import ctypes
import sys
from ctypes import byref, c_size_t, c_uint16, c_uint32, c_uint64

OK, LATE, STALE, NULL, TOO_FEW_FREE = 0, 7, 107, 100, 3


class Handle(ctypes.Structure):
    _fields_ = [("index", c_uint32), ("generation", c_uint32), ("pool", c_uint16), ("epoch", c_uint16)]


class Lease(ctypes.Structure):
    _fields_ = [("handle", Handle), ("mask", c_uint32), ("dims", c_uint32)]


class Interval(ctypes.Structure):
    _fields_ = [("start", c_uint64), ("end", c_uint64)]


class Request(ctypes.Structure):
    _fields_ = [
        ("ready", c_uint64),
        ("duration", c_uint64),
        ("deadline", c_uint64),
        ("pes", c_uint32),
        ("padding", c_uint32),
    ]


class Reservation(ctypes.Structure):
    _fields_ = [("id", Handle), ("pes", c_uint32), ("at", Interval)]


LEASE_FN = ctypes.CFUNCTYPE(None, ctypes.POINTER(Lease), ctypes.c_void_p)


class Locox:
    """The library: sizes as numbers, all else as a status and the detail."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.locox_status_str.restype = ctypes.c_char_p

    def size(self, name, *arguments):
        function = getattr(self.library, name)
        function.restype = c_size_t
        return function(*map(c_uint32, arguments))

    def text(self, status):
        return self.library.locox_status_str(status).decode()

    def check(self, status):
        assert status == OK, self.text(status)

    def structure(self, name):
        """An opaque structure: zeros, so not started. Words of 64 bits, for the alignment."""
        return (c_uint64 * (self.size(f"locox_size_of_{name}") // 8))()


def subcubes(locox):
    c, detail, lease = locox.library, c_uint64(), Lease()
    pool = locox.structure("pool")
    free_list = 2
    words = locox.size("locox_pool_words", free_list, 10)
    storage = (c_size_t * words)()
    start = c.locox_pool_start_free_list
    locox.check(start(pool, c_uint16(1), c_uint32(10), storage, c_size_t(words), byref(detail)))

    locox.check(c.locox_pool_allocate(pool, c_uint32(3), byref(lease), byref(detail)))
    print(f"8 nodes from {lease.handle.index} on, mask {lease.mask:#x}")
    assert (lease.handle.index, lease.mask) == (0, 7)
    other = Lease()
    assert c.locox_pool_allocate(pool, c_uint32(10), byref(other), byref(detail)) == TOO_FEW_FREE
    assert detail.value == 1016

    hits = []
    hit = LEASE_FN(lambda lease, user: hits.append(lease.contents.handle.index))
    nodes = (c_uint32 * 2)(5, 900)
    failed = c_uint32(1)
    locox.check(c.locox_pool_withdraw(pool, nodes, c_size_t(2), failed, hit, None, None))
    assert hits == [0], hits
    locox.check(c.locox_pool_release(pool, byref(lease)))
    status = c.locox_pool_release(pool, byref(lease))
    assert status == STALE and locox.text(status) == "what the name stood for is over"
    assert c.locox_pool_release(pool, None) == NULL
    locox.check(c.locox_pool_check(pool))


def reservations(locox):
    c, detail = locox.library, c_uint64()
    timeline = locox.structure("timeline")
    pes, most = 100, 20
    words = locox.size("locox_timeline_words", pes, most)
    storage = (c_size_t * words)()
    start = c.locox_timeline_start
    locox.check(
        start(timeline, c_uint16(2), c_uint32(pes), c_uint32(most), storage, c_size_t(words), None)
    )
    request, first, second = Request(0, 100, 150, 80, 0), Reservation(), Reservation()
    locox.check(c.locox_timeline_reserve(timeline, byref(request), None, byref(first), byref(detail)))
    print(f"{first.pes} PEs from {first.at.start} to {first.at.end}")
    assert (first.at.start, first.at.end) == (0, 100)
    status = c.locox_timeline_reserve(timeline, byref(request), None, byref(second), byref(detail))
    assert status == LATE and detail.value == 200
    locox.check(c.locox_timeline_cancel(timeline, byref(first.id), None))
    locox.check(c.locox_timeline_reserve(timeline, byref(request), None, byref(second), None))
    restart(locox, timeline, storage, second.id)
    locox.check(c.locox_timeline_check(timeline))


def restart(locox, timeline, storage, kept):
    """What the image knows keeps its name until the epoch after the next; what came after it is stale."""
    c, detail, written, lost = locox.library, c_uint64(), c_size_t(), Reservation()
    status = c.locox_timeline_export(timeline, None, c_size_t(0), byref(written), byref(detail))
    assert locox.text(status) == "a buffer or storage is too short"
    image = (c_uint32 * detail.value)()
    locox.check(c.locox_timeline_export(timeline, image, c_size_t(len(image)), byref(written), None))
    request = Request(0, 10, 2**64 - 1, 20, 0)
    locox.check(c.locox_timeline_reserve(timeline, byref(request), None, byref(lost), None))

    words, epoch = c_size_t(len(storage)), c_uint16(1)
    locox.check(
        c.locox_timeline_start(timeline, c_uint16(2), c_uint32(100), c_uint32(20), storage, words, None)
    )
    locox.check(c.locox_timeline_restore(timeline, image, c_size_t(len(image)), epoch))
    assert c.locox_timeline_cancel(timeline, byref(lost.id), None) == STALE
    locox.check(c.locox_timeline_cancel(timeline, byref(kept), None))


if __name__ == "__main__":
    locox = Locox(sys.argv[1])
    subcubes(locox)
    reservations(locox)

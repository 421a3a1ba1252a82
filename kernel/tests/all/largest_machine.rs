//! Machines of the most dimensions that there are.

use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::{self, Buddy, Complete, FreeList, FreeListPlain, GrayCode, Pool};

/// Whatever was leased and released, an idle machine grants all of itself.
fn grants_itself<T: subcube::Strategy>() {
    let words = vec![0; subcube::words::<T>(Dim::MAX.get())];
    let mut pool = Pool::<T, _>::new(PoolId(1), Dim::MAX, words).unwrap();
    for dim in [10, 23, 24, 0].map(|dim| Dim::new(dim).unwrap()) {
        let part = pool.allocate(dim).unwrap();
        pool.release(part).unwrap();
        let all = pool.allocate(Dim::MAX);
        assert!(all.is_ok(), "{} after {dim} dimensions: {all:?}", T::NAME);
        pool.release(all.unwrap()).unwrap();
    }
}

#[test]
fn an_idle_machine_of_24_dimensions_grants_all_of_itself() {
    grants_itself::<Buddy>();
    grants_itself::<GrayCode>();
    grants_itself::<FreeList>();
    grants_itself::<FreeListPlain>();
    grants_itself::<Complete>();
}

//! Images of pools, word for word: those of earlier versions are still to be read.

use locox::cube::Node;
use locox::handle::{Epoch, PoolId};
use locox::mesh::{Leftover, Shape};
use locox::subcube::Outage;
use locox_oracles::subcube::{Buddy, FreeList, Rule};

/// Of a 1-cube of which node 0 is leased and node 1 drained, in epoch 2: letters and version, kind, pool and version,
/// configuration, how many words follow, place, checksum; the epoch, and of each node the generation and the mask and the outage.
const IMAGE: [u32; 16] = [
    u32::from_le_bytes(*b"LXI\x02"),
    u32::from_le_bytes(*b"CUBE"),
    7 << 16 | 1,
    1121180356,
    5,
    0,
    0,
    0,
    0,
    225672901,
    2,
    2,
    0,
    0,
    1 << 24,
    2577967449,
];

fn image(export: impl FnOnce(&mut dyn FnMut(u32))) -> Vec<u32> {
    let mut words = vec![];
    export(&mut |word| words.push(word));
    words
}

fn an_image_of_a_pool_of_subcubes_is_these_words<R: Rule>() {
    let mut pool = R::pool(PoolId(7), 1.try_into().unwrap());
    pool.begin(Epoch(2));
    pool.allocate(0.try_into().unwrap()).unwrap();
    pool.withdraw(&[Node(1)], Outage::Drained, |_| ()).unwrap();
    assert_eq!(image(|put| pool.export(put)), IMAGE);
}

fn images_of_pools_alike_are_alike_under_each_strategy<R: Rule>() {
    for dims in 0..=7u8 {
        let dims = dims.try_into().unwrap();
        let (pool, other) = (R::pool(PoolId(7), dims), Buddy::pool(PoolId(7), dims));
        assert_eq!(image(|put| pool.export(put)), image(|put| other.export(put)), "{dims}");
    }
}

#[test]
fn an_image_of_a_pool_of_meshes_has_the_sides_of_each_and_is_of_one_way_to_treat_leftover() {
    for (leftover, digest) in [(Leftover::Reused, 1796959798), (Leftover::Kept, 2813423272)] {
        let mut pool = FreeList::mesh_pool(PoolId(7), 2.try_into().unwrap(), leftover);
        pool.allocate(Shape::rectangle(1, 3).unwrap()).unwrap();
        let words = image(|put| pool.export(put));
        assert_eq!(words[1..4], [u32::from_le_bytes(*b"MESH"), 7 << 16 | 1, digest]);
        assert_eq!(words[10..22], [0, 2, 3, 1, 3, 1, 0, 0, 0, 0, 0, 0]);
    }
}

locox_oracles::for_each_strategy!(
    an_image_of_a_pool_of_subcubes_is_these_words,
    images_of_pools_alike_are_alike_under_each_strategy,
);

//! A mesh of 5 by 5 nodes in a cube of 64: which nodes it gets.

use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshPool, Shape};
use locox::subcube::FreeList;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let storage = vec![0; mesh::words::<FreeList>(6)];
    let mut pool =
        MeshPool::<FreeList, _>::new(PoolId(1), 6.try_into()?, storage, Leftover::Reused)?;
    let lease = pool.allocate(Shape::rectangle(5, 5)?)?;
    println!("{}", lease.mesh());
    for node in lease.nodes() {
        print!("{node} ");
    }
    println!();
    pool.release(lease)?;
    Ok(())
}

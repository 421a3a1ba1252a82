//! Same calls, same answers; and a copy is a world of its own.

use super::common::{commands, dim};
use locox::handle::PoolId;
use locox_oracles::subcube::{Client, Observation, Rule};

const ID: PoolId = PoolId(2);

fn a_copy_goes_on_like_its_original<R: Rule>() {
    for dims in [3, 5, 6, 8] {
        let (mut pool, mut client) = (R::pool(ID, dim(dims)), Client::new(ID, dim(dims)));
        let commands: Vec<_> = commands(dim(dims), 300).collect();
        for (at, command) in commands.iter().enumerate() {
            if at % 60 == 0 {
                let (mut copy, mut its_client) = (pool.clone(), client.clone());
                let (mut original, mut client) = (pool.clone(), client.clone());
                for command in &commands[at..] {
                    let answer = its_client.run(&mut copy, command);
                    assert_eq!(answer, client.run(&mut original, command));
                }
                let end = Observation::of_pool(&mut copy);
                assert_eq!(end, Observation::of_pool(&mut original));
            }
            client.run(&mut pool, command);
        }
    }
}

fn trying_on_a_copy_leaves_the_original_alone<R: Rule>() {
    for dims in [3, 6, 8] {
        let (mut pool, mut client) = (R::pool(ID, dim(dims)), Client::new(ID, dim(dims)));
        for command in commands(dim(dims), 100) {
            client.run(&mut pool, &command);
            let before = Observation::of_pool(&mut pool);
            let (mut copy, mut its_client) = (pool.clone(), client.clone());
            for tried in commands(dim(dims), 10) {
                its_client.run(&mut copy, &tried);
            }
            assert_eq!(Observation::of_pool(&mut pool), before);
        }
    }
}

/// Questions use the storage as scratch; what comes after must not notice.
fn questions_do_not_change_later_answers<R: Rule>() {
    for dims in [3, 6, 8] {
        let mut asked = (R::pool(ID, dim(dims)), Client::new(ID, dim(dims)));
        let mut left_alone = asked.clone();
        for command in commands(dim(dims), 300) {
            Observation::of_pool(&mut asked.0);
            let answer = asked.1.run(&mut asked.0, &command);
            assert_eq!(answer, left_alone.1.run(&mut left_alone.0, &command));
        }
    }
}

locox_oracles::for_each_strategy!(
    a_copy_goes_on_like_its_original,
    trying_on_a_copy_leaves_the_original_alone,
    questions_do_not_change_later_answers,
);

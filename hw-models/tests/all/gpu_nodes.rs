//! Placements on nodes with GPUs beside what others published for them: tasks of a production cluster arrive until they have asked
//! for all GPUs, and none leaves. They read `$LOCOX_DATA/gpu-nodes`; without that variable they pass at once and say so.

use locox::machine::Machine;
use locox::nodes::{Amounts, NodeRequest, Nodes, Placement};
use lzma_rust2::XzReader;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

const WORKLOADS: [&str; 5] = ["default", "cpu050", "multigpu20", "gpushare40", "gpuspec10"];
/// Of a GPU.
const PARTS: u32 = 1000;

/// The fields of a file of comma-separated values, each line by its names.
fn lines(path: &Path) -> Vec<HashMap<String, String>> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    match path.extension().is_some_and(|it| it == "xz") {
        true => XzReader::new(file, false).read_to_string(&mut text).unwrap(),
        false => { file }.read_to_string(&mut text).unwrap(),
    };
    let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let names = fields(text.lines().next().unwrap());
    text.lines().skip(1).map(|line| names.iter().cloned().zip(fields(line)).collect()).collect()
}

fn number(line: &HashMap<String, String>, name: &str) -> u32 {
    line[name].parse().unwrap()
}

/// What nodes have, and which model of GPU, by class; and the class of each node.
struct Cluster {
    classes: Vec<Amounts>,
    models: Vec<String>,
    class_of: Vec<u8>,
    gpus: u64,
}

impl Cluster {
    fn read(folder: &Path) -> Self {
        let (mut classes, mut class_of, mut gpus) = (vec![], vec![], 0);
        for line in lines(&folder.join("openb_node_list_gpu_node.csv.xz")) {
            let [cpu, memory, count] =
                ["cpu_milli", "memory_mib", "gpu"].map(|it| number(&line, it));
            let class = (Amounts::of(&[cpu, memory, count]), line["model"].clone());
            let known = classes.iter().position(|it| *it == class);
            class_of.push(known.unwrap_or(classes.len()) as u8);
            if known.is_none() {
                classes.push(class);
            }
            gpus += u64::from(count);
        }
        let (classes, models) = classes.into_iter().unzip();
        Self { classes, models, class_of, gpus }
    }

    /// What a task asks for, and how many parts of GPUs that is.
    fn task(&self, line: &HashMap<String, String>) -> (NodeRequest<'static>, u64) {
        let [cpu, memory, gpus] = ["cpu_milli", "memory_mib", "num_gpu"].map(|it| number(line, it));
        let parts = if gpus == 0 { 0 } else { number(line, "gpu_milli") };
        let of = match gpus == 1 && parts < PARTS {
            true => NodeRequest::part(parts, Amounts::of(&[cpu, memory])),
            false => NodeRequest::of(1, Amounts::of(&[cpu, memory, gpus])),
        };
        let models = line.get("gpu_spec").filter(|it| !it.is_empty());
        let allowed = |model: &String| models.is_none_or(|it| it.split('|').any(|it| it == model));
        let bits = self.models.iter().enumerate().filter(|(_, model)| allowed(model));
        let classes = bits.fold(0, |classes, (at, _)| classes | 1 << at);
        (of.in_classes(classes), u64::from(gpus) * u64::from(parts))
    }
}

/// Numbers from a seed, by SplitMix.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * end as u128) >> 64) as usize
    }
}

/// The list, more tasks drawn from it until they ask for 130 % of the GPUs, and all of these in any order.
fn drawing<T: Copy>(list: &[(T, u64)], gpus: u64, seed: u64) -> Vec<(T, u64)> {
    let mut draws = Draws(seed);
    let mut tasks = enough(list, gpus, &mut draws);
    for at in (1..tasks.len()).rev() {
        tasks.swap(at, draws.below(at + 1));
    }
    tasks
}

/// The list, and behind it more tasks drawn from it.
fn enough<T: Copy>(list: &[(T, u64)], gpus: u64, draws: &mut Draws) -> Vec<(T, u64)> {
    let mut tasks = list.to_vec();
    let mut asked: u64 = tasks.iter().map(|it| it.1).sum();
    while asked * 100 < gpus * u64::from(PARTS) * 130 {
        let task = list[draws.below(list.len())];
        asked += task.1;
        tasks.push(task);
    }
    tasks
}

/// How much of all GPUs, in per cent, is allocated when as much has been asked for.
fn allocated(cluster: &Cluster, tasks: &[(NodeRequest<'static>, u64)], rule: Placement) -> f64 {
    let machine = Nodes::<19>::new(&cluster.classes, &cluster.class_of, rule).unwrap();
    let mut machine = machine.with_parts(2, PARTS).unwrap();
    let (mut map, mut room) = (vec![0; machine.words().map], vec![0; machine.words().room]);
    machine.open(&mut map);
    let (mut asked, mut given) = (0, 0);
    let all = cluster.gpus * u64::from(PARTS);
    for (of, parts) in tasks {
        machine.learn(of);
        if let Some(place) = machine.find(&map, of, &mut room) {
            assert!(machine.has(&map, &place), "{of:?}");
            machine.take(&mut map, &place);
            given += parts;
        }
        asked += parts;
        if asked >= all {
            break;
        }
    }
    given as f64 * 100.0 / all as f64
}

fn data() -> Option<PathBuf> {
    let data = std::env::var_os("LOCOX_DATA").map(|it| PathBuf::from(it).join("gpu-nodes"));
    if data.is_none() {
        eprintln!("skipped: LOCOX_DATA is not set, so there are no nodes and tasks of others");
    }
    data
}

fn list(cluster: &Cluster, data: &Path, workload: &str) -> Vec<(NodeRequest<'static>, u64)> {
    let path = data.join(format!("openb_pod_list_{workload}.csv.xz"));
    lines(&path).iter().map(|line| cluster.task(line)).collect()
}

/// What others published, at 100 % asked for.
fn published(data: &Path, workload: &str, policy: &str) -> f64 {
    let all = lines(&data.join("published.csv"));
    let own = all.iter().find(|it| it["workload"] == workload && it["policy"] == policy).unwrap();
    own["allocated_at_100"].parse().unwrap()
}

#[test]
fn fewest_lost_allocates_more_than_the_best_fit() {
    let Some(data) = data() else { return };
    let cluster = Cluster::read(&data);
    let list = list(&cluster, &data, "gpushare40");
    // Every fifth node, so that it takes a second.
    let few =
        Cluster { class_of: cluster.class_of.iter().copied().step_by(5).collect(), ..cluster };
    let gpus = few.class_of.iter().map(|it| u64::from(few.classes[usize::from(*it)].get(2))).sum();
    let few = Cluster { gpus, ..few };
    let tasks = drawing(&list, gpus, 1);
    let [best, fewest] = [Placement::Best, Placement::Fewest].map(|it| allocated(&few, &tasks, it));
    println!("best fit {best:.2}, fewest lost {fewest:.2}");
    assert!(fewest > best + 1.0 && best > 80.0, "{fewest} {best}");
}

#[test]
#[ignore = "takes minutes; CONTRIBUTING.md names the command"]
fn fewest_lost_allocates_as_much_as_the_best_published_rule() {
    let Some(data) = data() else { return };
    let cluster = Cluster::read(&data);
    let (mut sums, mut sum_of_theirs, mut in_order) = ([0.0; 3], 0.0, vec![]);
    println!(
        "| workload | first fit | best fit | fewest lost | best fit, published | FGD, published |"
    );
    for workload in WORKLOADS {
        let list = list(&cluster, &data, workload);
        let mut means = [0.0; 3];
        for seed in 1..=10 {
            let tasks = drawing(&list, cluster.gpus, seed);
            let rules = [Placement::First, Placement::Best, Placement::Fewest];
            for (mean, rule) in means.iter_mut().zip(rules) {
                *mean += allocated(&cluster, &tasks, rule) / 10.0;
            }
        }
        let [best, theirs] = ["BestFit", "FGD"].map(|it| published(&data, workload, it));
        let [first, own_best, fewest] = means;
        println!(
            "| {workload} | {first:.2} | {own_best:.2} | {fewest:.2} | {best:.2} | {theirs:.2} |"
        );
        let tasks = enough(&list, cluster.gpus, &mut Draws(1));
        let rules = [Placement::Best, Placement::Fewest];
        in_order.push((workload, rules.map(|rule| allocated(&cluster, &tasks, rule))));
        assert!(fewest > theirs - 0.2, "{workload}: {fewest} beside {theirs}");
        sums.iter_mut().zip(means).for_each(|(sum, mean)| *sum += mean);
        sum_of_theirs += theirs;
    }
    println!("in the order of the list:");
    for (workload, [best, fewest]) in in_order {
        println!("| {workload} | best fit {best:.2} | fewest lost {fewest:.2} |");
    }
    assert!(sums[2] >= sum_of_theirs, "{sums:?} beside {sum_of_theirs}");
}

//! Tasks of a production cluster arrive until they have asked for all GPUs, and none leaves: what placements allocate, beside what
//! others published.

use crate::Lab;
use crate::difference::{minus, signed};
use crate::sources::nodes::{BEST_AS_PUBLISHED, FEWEST_AS_FGD, FEWEST_OVER_BEST};
use crate::thresholds::GPUS_AS_PUBLISHED;
use locox::machine::Machine;
use locox::nodes::{Amounts, NodeRequest, Nodes, Placement};
use locox_models::file;
use locox_models::stats::Estimate;
use locox_models::streams::stream;
use locox_models::text;
use locox_report::failure::Failure;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Cell, Claim, Table};
use rand::seq::{IndexedRandom, SliceRandom};
use std::collections::HashMap;

/// The published lists, and what they are.
const LISTS: [(&str, &str); 5] = [
    ("default", "as they came"),
    ("cpu050", "half of those without a GPU"),
    ("multigpu20", "20 % more whole GPUs"),
    ("gpushare40", "40 % parts of GPUs"),
    ("gpuspec10", "10 % bound to a model"),
];
const RULES: [Placement; 3] = [Placement::First, Placement::Best, Placement::Fewest];
const FIRST: usize = 0;
const BEST: usize = 1;
const FEWEST: usize = 2;
/// Of a GPU.
const PARTS: u32 = 1000;

/// A line by the names of its columns.
type Line = HashMap<String, String>;
/// What is asked for, and how many parts of GPUs that is.
type Task = (NodeRequest<'static>, u64);

/// The lines of a published file; `None` without the folder.
fn lines(lab: &Lab, name: &str) -> Result<Option<Vec<Line>>, Failure> {
    let Some(path) = lab.file(&format!("gpu-nodes/{name}")) else { return Ok(None) };
    let text = file::open(&path).and_then(text::whole);
    let text = text.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut all = text.lines().map(fields);
    let names = all.next().unwrap_or_default();
    Ok(Some(all.map(|fields| names.iter().cloned().zip(fields).collect()).collect()))
}

fn number<T: std::str::FromStr>(line: &Line, name: &str) -> Result<T, Failure> {
    let text = line.get(name).map_or("", String::as_str);
    text.parse().map_err(|_| Failure::Input(format!("gpu-nodes: `{text}` is no {name}")))
}

/// What nodes have, and which model of GPU, by class; and the class of each node.
struct Production {
    classes: Vec<Amounts>,
    models: Vec<String>,
    class_of: Vec<u8>,
    /// Parts of all GPUs.
    parts: u64,
}

impl Production {
    fn of(lines: &[Line]) -> Result<Self, Failure> {
        let (mut classes, mut class_of, mut parts) = (vec![], vec![], 0);
        for line in lines {
            let count: u32 = number(line, "gpu")?;
            let amounts = [number(line, "cpu_milli")?, number(line, "memory_mib")?, count];
            let class = (Amounts::of(&amounts), line.get("model").cloned().unwrap_or_default());
            let known = classes.iter().position(|it| *it == class);
            class_of.push(known.unwrap_or(classes.len()) as u8);
            if known.is_none() {
                classes.push(class);
            }
            parts += u64::from(count) * u64::from(PARTS);
        }
        let (classes, models) = classes.into_iter().unzip();
        Ok(Self { classes, models, class_of, parts })
    }

    fn task(&self, line: &Line) -> Result<Task, Failure> {
        let gpus: u32 = number(line, "num_gpu")?;
        let parts = if gpus == 0 { 0 } else { number(line, "gpu_milli")? };
        let [cores, memory] = [number(line, "cpu_milli")?, number(line, "memory_mib")?];
        let of = match gpus == 1 && parts < PARTS {
            true => NodeRequest::part(parts, Amounts::of(&[cores, memory])),
            false => NodeRequest::of(1, Amounts::of(&[cores, memory, gpus])),
        };
        let models = line.get("gpu_spec").filter(|it| !it.is_empty());
        let allowed = |model: &String| models.is_none_or(|it| it.split('|').any(|it| it == model));
        let bits = self.models.iter().enumerate().filter(|(_, model)| allowed(model));
        let classes = bits.fold(0, |classes, (at, _)| classes | 1 << at);
        Ok((of.in_classes(classes), u64::from(gpus) * u64::from(parts)))
    }

    /// The list, more tasks drawn from it until they ask for 130 % of the GPUs, and all of these in any order.
    fn drawing(&self, list: &[Task], seed: u64, drawing: u64) -> Vec<Task> {
        let mut random = stream(seed, "tasks", drawing);
        let mut tasks = list.to_vec();
        let mut asked: u64 = tasks.iter().map(|it| it.1).sum();
        while asked * 100 < self.parts * 130 {
            let &task = list.choose(&mut random).expect("a list of tasks");
            asked += task.1;
            tasks.push(task);
        }
        tasks.shuffle(&mut random);
        tasks
    }

    /// How much of all GPUs, in per cent, is allocated when as much has been asked for.
    fn allocated(&self, tasks: &[Task], rule: Placement) -> f64 {
        let machine = Nodes::<19>::new(&self.classes, &self.class_of, rule).expect("1,213 nodes");
        let mut machine = machine.with_parts(2, PARTS).expect("at most 8 GPUs on a node");
        let (mut map, mut room) = (vec![0; machine.words().map], vec![0; machine.words().room]);
        machine.open(&mut map);
        let (mut asked, mut given) = (0, 0);
        for (of, parts) in tasks {
            machine.learn(of);
            if let Some(place) = machine.find(&map, of, &mut room) {
                machine.take(&mut map, &place);
                given += parts;
            }
            asked += parts;
            if asked >= self.parts {
                break;
            }
        }
        given as f64 * 100.0 / self.parts as f64
    }
}

/// Per cent of all GPUs that are allocated of a list: by rule and drawing, and what others published.
pub(super) struct Allocated {
    tasks: &'static str,
    by_rule: [Vec<f64>; RULES.len()],
    best_of_theirs: f64,
    fgd: f64,
}

pub(super) fn drawings(lab: &Lab) -> u64 {
    lab.either(2, 10)
}

/// `None` without the data.
pub(super) fn measure(lab: &Lab) -> Result<Option<Vec<Allocated>>, Failure> {
    let Some(nodes) = lines(lab, "openb_node_list_gpu_node.csv.xz")? else { return Ok(None) };
    let Some(published) = lines(lab, "published.csv")? else { return Ok(None) };
    let (production, mut all) = (Production::of(&nodes)?, vec![]);
    for (name, tasks) in LISTS {
        let of = |policy: &str| {
            let is = |it: &&Line| it["workload"] == name && it["policy"] == policy;
            number(published.iter().find(is).unwrap_or(&Line::new()), "allocated_at_100")
        };
        let path = format!("openb_pod_list_{name}.csv.xz");
        let list = lines(lab, &path)?.unwrap_or_default();
        let list = list.iter().map(|it| production.task(it)).collect::<Result<Vec<_>, _>>()?;
        let rules = RULES.into_iter();
        let items: Vec<_> =
            rules.flat_map(|rule| (0..drawings(lab)).map(move |at| (rule, at))).collect();
        let shares = lab.parallel(&items, |&(rule, at)| {
            production.allocated(&production.drawing(&list, lab.seed, at), rule)
        });
        let mut runs = shares.chunks(drawings(lab) as usize).map(<[_]>::to_vec);
        let by_rule = RULES.map(|_| runs.next().expect("a run of each rule"));
        all.push(Allocated { tasks, by_rule, best_of_theirs: of("BestFit")?, fgd: of("FGD")? });
    }
    Ok(Some(all))
}

pub(super) fn table(all: &[Allocated]) -> Table {
    let columns = [
        ("tasks", "tasks"),
        ("first", "first fit"),
        ("best", "best fit"),
        ("fewest", "fewest lost"),
        ("best_published", "best fit, published"),
        ("fgd_published", "FGD, published"),
    ];
    let title = "GPUs allocated when all have been asked for, in per cent";
    let mut table = Table::new(title, &columns);
    for it in all {
        let mut cells = vec![Cell::text(it.tasks)];
        let rules = [FIRST, BEST, FEWEST].map(|rule| Estimate::of(&it.by_rule[rule]));
        cells.extend(rules.map(|estimate| Cell::Estimate(estimate, 2)));
        cells.extend([it.best_of_theirs, it.fgd].map(|share| Cell::Number(share, 2)));
        table.push(cells);
    }
    table
}

pub(super) fn claims(all: &[Allocated]) -> Vec<Claim> {
    let cases = |expected: Expected, more: &dyn Fn(&Allocated) -> Vec<f64>| {
        all.iter().map(|it| Case::new(it.tasks, more(it), expected)).collect::<Vec<_>>()
    };
    let above = |it: &Allocated, rule: usize, theirs: f64| {
        it.by_rule[rule].iter().map(|share| share - theirs).collect::<Vec<_>>()
    };
    let best = cases(Expected::alike(GPUS_AS_PUBLISHED), &|it| above(it, BEST, it.best_of_theirs));
    let fgd = cases(Expected::MORE, &|it| above(it, FEWEST, it.fgd));
    let own = cases(Expected::MORE, &|it| minus(&it.by_rule[FEWEST], &it.by_rule[BEST]));
    let judged = [(best, &BEST_AS_PUBLISHED), (fgd, &FEWEST_AS_FGD), (own, &FEWEST_OVER_BEST)];
    let judged = judged.into_iter().map(|(cases, statement)| {
        let one = |it: &Case| format!("{} {}", it.name, signed(Estimate::of(&it.differences)));
        let told = cases.iter().map(one).collect::<Vec<_>>().join("; ");
        judge::every(&cases, Unit("points", 2)).on(statement, format!("Points more: {told}."))
    });
    judged.collect()
}

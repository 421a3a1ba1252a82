//! The programs of the guide, a module a page, so that `cargo test` compiles and runs them.

macro_rules! pages {
    ($($page:ident: $file:literal),+ $(,)?) => {$(
        #[cfg(doctest)]
        #[doc = include_str!(concat!("../", $file))]
        mod $page {}
    )+};
}

pages! {
    readme: "../../README.md",
    kernel: "../../kernel/README.md",
    storage: "../../storage/README.md",
    index: "README.md",
    types: "types.md",
    which_module: "which-module.md",
    subcubes: "subcubes.md",
    meshes: "meshes.md",
    grids: "grids.md",
    reservations: "reservations.md",
    where_and_when: "where-and-when.md",
    at_whose_expense: "at-whose-expense.md",
    nodes: "nodes.md",
    queues: "queues.md",
    workstations: "workstations.md",
    shared_hosts: "shared-hosts.md",
    unlike_machines: "unlike-machines.md",
    managers: "managers.md",
    restarts: "restarts.md",
    your_own: "your-own.md",
    gateway: "gateway.md",
    your_allocator: "your-allocator.md",
    python: "python.md",
    batsim: "batsim.md",
    microcontrollers: "microcontrollers.md",
}

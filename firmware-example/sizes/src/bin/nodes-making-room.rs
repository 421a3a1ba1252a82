//! Nodes with quantities: eight of them, and room for 12 leases, which may have to end for others.

#![no_std]
#![no_main]

use sizes::NodeRows;

sizes::program! { NodeRows = NodeRows::EMPTY, sizes::nodes_making_room }

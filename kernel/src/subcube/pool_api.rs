//! What users call of a pool, written once for pools of subcubes and pools of meshes.

/// The methods of a pool with the fields `core` and `storage`, as its own, so that users import no
/// trait, and as those of [`Allocator`](super::Allocator). It is asked for a `$Request`; `$Place` says
/// where a lease of that lies.
macro_rules! pool_api {
    ($Pool:ident: $request:ident: $Request:ty, $place:ident: $Place:ty => $Lease:ty, $Stats:ty) => {
        impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> $Pool<T, S> {
            /// The strategy's name in tables and options.
            pub fn name(&self) -> &'static str {
                T::NAME
            }

            /// The number that tells this pool's leases from those of others.
            pub fn id(&self) -> PoolId {
                self.core.inventory().ledger.pool
            }

            /// The dimensions n of the machine.
            pub fn dims(&self) -> Dim {
                self.core.inventory().dims
            }

            /// Nodes that a new lease may take, leftover of live meshes included.
            pub fn free(&self) -> u32 {
                self.core.inventory().free
            }

            /// Grants what is asked for: a subcube of this dimension, or a mesh of this shape in a
            /// subcube of the dimension that the shape needs. Cost: the strategy's.
            ///
            /// # Errors
            ///
            /// The [`Refusal`] says why not. Of a mesh it speaks of the subcube that is needed, and
            /// [`Refusal::Faulty`] judges by the strategy alone: the leftover of live meshes may come
            /// to hold a subcube that the strategy would not recognise.
            pub fn allocate(&mut self, $request: $Request) -> Result<$Lease, Refusal> {
                self.core.allocate(self.storage.as_mut(), $request)
            }

            /// Grants this very subcube, or this very mesh in its subcube. All nodes of the subcube
            /// must be free; those of a mesh must also lie in the same leftover, or in none. Cost: a
            /// look at each node and what the strategy needs to take it out.
            ///
            /// # Errors
            ///
            /// [`NotFree`](crate::subcube::NotFree) names the first node that cannot be had: it is leased, out of service, or in
            /// another leftover than the first one of its subcube. [`NoSuchNode`] names the last node
            /// if the machine is smaller.
            pub fn claim(&mut self, $place: $Place) -> Result<$Lease, ClaimError> {
                self.core.claim(self.storage.as_mut(), &$place)
            }

            /// What [`Self::allocate`] would answer, without doing it. Mutable because an exact search
            /// needs scratch in the caller's storage; no later answer changes.
            ///
            /// # Errors
            ///
            /// The [`Refusal`] that `allocate` would return.
            pub fn would_fit(&mut self, $request: $Request) -> Result<(), Refusal> {
                self.core.would_fit(self.storage.as_mut(), $request)
            }

            /// Whether `node` is held by a lease, and whether it is out of service.
            ///
            /// # Errors
            ///
            /// [`NoSuchNode`] outside the machine.
            pub fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
                let service = &self.core.inventory().service;
                service.check_nodes(&[node])?;
                let outage = service.outage(self.storage.as_ref(), node);
                Ok(NodeState { leased: self.lease_at(node).is_some(), outage })
            }

            /// Counts and fragmentation. Not for hot paths: it counts the free subcubes of every
            /// dimension, by an exhaustive search under [`Complete`](crate::subcube::Complete), and asks
            /// which of these would be granted, the largest first.
            pub fn stats(&mut self) -> $Stats {
                self.core.stats(self.storage.as_mut())
            }

            /// Recomputes all derived data and compares; for tests and fuzzers. Cost: 3^n.
            ///
            /// # Errors
            ///
            /// [`InvariantViolation`] names the invariant that does not hold.
            pub fn check_invariants(&mut self) -> Result<(), InvariantViolation> {
                self.core.check_invariants(self.storage.as_mut())
            }
        }

        $crate::lease_api::lease_api! {
            [T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>] $Pool<T, S> => $Lease;
            /// Leases in the leftover of a mesh stay. Cost: what the strategy needs, and while nodes are out
            /// a look at each word that the lease has nodes in.
            release
            /// A mesh is hit, too, if one of them may carry its routes. Cost: that of [`Self::lease_at`] for
            /// one node, for several a few steps for each of the machine; for each that is free what the
            /// strategy needs; if one of them served until now, the strategy's search for what is
            /// possible without them, once.
            withdraw
            /// Cost: as that of [`Self::withdraw`].
            repair
            /// While leftover is kept, a mesh holds all of its subcube. Cost: what the strategy needs to know
            /// whether it is free; then a step for each way to clear ones of the address, the fewest
            /// first, until the base of its lease is met.
            lease_at
            /// 12 words, 2 for each node, and 3 for each live mesh.
            export
            /// Free nodes lie as if leases and outages had been taken out of the whole cube by rising node.
            /// What the strategy was told, as [`Effort`](crate::subcube::Effort), is as new. An image of a
            /// pool that treats leftover otherwise is none of this pool.
            restore
        }

        impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Allocator<$Request> for $Pool<T, S> {
            $crate::delegate::delegate! { Self:
                fn name(&self) -> &'static str;
                fn id(&self) -> PoolId;
                fn dims(&self) -> Dim;
                fn free(&self) -> u32;
                fn allocate(&mut self, request: $Request) -> Result<$Lease, Refusal>;
                fn claim(&mut self, place: $Place) -> Result<$Lease, ClaimError>;
                fn would_fit(&mut self, request: $Request) -> Result<(), Refusal>;
                fn release(&mut self, lease: $Lease) -> Result<(), Misuse>;
                fn withdraw(
                    &mut self,
                    nodes: &[Node],
                    outage: Outage,
                    hit: &mut dyn FnMut($Lease),
                ) -> Result<(), NoSuchNode>;
                fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode>;
                fn lease_at(&self, node: Node) -> Option<$Lease>;
                fn state(&self, node: Node) -> Result<NodeState, NoSuchNode>;
                fn export(&self, put: &mut dyn FnMut(u32));
                fn restore(
                    &mut self,
                    image: &mut dyn Iterator<Item = u32>,
                    epoch: Epoch,
                ) -> Result<(), BadImage>;
                fn stats(&mut self) -> $Stats;
                fn check_invariants(&mut self) -> Result<(), InvariantViolation>;
            }
        }
    };
}

pub(crate) use pool_api;

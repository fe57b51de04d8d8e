// The bits of a distance, for SSSP: u64 for those of an f64, u32 for a whole number below 2^31; and the weights on the way. The sign bit,
// which no distance has, says that a vertex waits. Knows where a projection keeps weights, and nothing of runs.
//
// B is the type of the bits; W says where the weight of an arc is: u32 beside its target, f64 on its own, bool nowhere: it is 1.

import { address, get, number, word } from './job';
import { ARC_WEIGHT, P_APART, P_WEIGHTS } from './projection';

/** Of a u32 distance: nothing has reached the vertex. */
export const UNREACHED: u32 = 0x7fffffff;

// @ts-ignore: decorator
@inline
export function placeOf<B>(distances: usize, v: u32): usize {
  return distances + ((<usize>v) << alignof<B>());
}

/** The sign, which no distance has: the vertex waits in its bucket. */
// @ts-ignore: decorator
@inline
export function waiting<B>(): B {
  return <B>1 << <B>(8 * sizeof<B>() - 1);
}

// @ts-ignore: decorator
@inline
export function waits<B>(bits: B): bool {
  return bits >= waiting<B>();
}

/** The distance alone, in an order that is that of distances. */
// @ts-ignore: decorator
@inline
export function reach<B>(bits: B): B {
  return bits & ~waiting<B>();
}

// @ts-ignore: decorator
@inline
export function unreached<B>(): B {
  return sizeof<B>() == 8 ? <B>0x7ff0000000000000 : <B>UNREACHED;
}

// @ts-ignore: decorator
@inline
export function valueOf<B>(bits: B): f64 {
  return sizeof<B>() == 8 ? reinterpret<f64>(<u64>reach<B>(bits)) : <f64>reach<B>(bits);
}

/** The bits of the distance that lies an arc further. */
// @ts-ignore: decorator
@inline
export function beyond<B, W>(distance: B, weights: usize, arc: u32): B {
  if (isFloat<W>()) return <B>reinterpret<u64>(reinterpret<f64>(<u64>distance) + number(weights, arc));
  const weight: u32 = sizeof<W>() == 1 ? 1 : load<u32>(weights + ((<usize>arc) << 3), ARC_WEIGHT);
  if (sizeof<B>() == 8) return <B>reinterpret<u64>(reinterpret<f64>(<u64>distance) + <f64>weight);
  return distance + <B>weight;
}

// @ts-ignore: decorator
@inline
export function targetOf<W>(targets: usize, weights: usize, arc: u32): u32 {
  return sizeof<W>() == 4 ? load<u32>(weights + ((<usize>arc) << 3)) : word(targets, arc);
}

/** Weight of an arc, wherever it stands. */
export function weightAt(projection: usize, arc: u32): f64 {
  const weights = address(projection, P_WEIGHTS);
  if (weights == 0) return 1;
  return get(projection, P_APART) != 0 ? number(weights, arc) : <f64>load<u32>(weights + ((<usize>arc) << 3), ARC_WEIGHT);
}

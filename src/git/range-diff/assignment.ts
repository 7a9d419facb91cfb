/**
 * The cheapest assignment of a distinct column to each row: the Hungarian method with potentials, in O(n³).
 * @param cost square matrix, by rows
 * @returns the column of each row
 */
export function assign(size: number, cost: Float64Array): Int32Array {
  const rowOf = new Int32Array(size + 1);
  const [u, v] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  for (let row = 1; row <= size; row++) augment(row, size, cost, rowOf, u, v);
  const columns = new Int32Array(size);
  for (let column = 1; column <= size; column++) columns[rowOf[column]! - 1] = column - 1;
  return columns;
}

/** Assigns a column to one more row, by the cheapest chain of exchanges. Indexes start at 1; 0 means unassigned. */
function augment(
  row: number,
  size: number,
  cost: Float64Array,
  rowOf: Int32Array,
  u: Float64Array,
  v: Float64Array,
): void {
  const cheapest = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
  const cameFrom = new Int32Array(size + 1);
  const isDone = new Uint8Array(size + 1);
  rowOf[0] = row;
  let column = 0;
  do {
    isDone[column] = 1;
    const present = rowOf[column]!;
    let delta = Number.POSITIVE_INFINITY;
    let next = 0;
    for (let other = 1; other <= size; other++) {
      if (isDone[other]) continue;
      const reduced = cost[(present - 1) * size + other - 1]! - u[present]! - v[other]!;
      if (reduced < cheapest[other]!) {
        cheapest[other] = reduced;
        cameFrom[other] = column;
      }
      if (cheapest[other]! < delta) {
        delta = cheapest[other]!;
        next = other;
      }
    }
    for (let other = 0; other <= size; other++) {
      if (isDone[other]) {
        u[rowOf[other]!]! += delta;
        v[other]! -= delta;
      } else cheapest[other]! -= delta;
    }
    column = next;
  } while (rowOf[column] !== 0);
  while (column !== 0) {
    const before = cameFrom[column]!;
    rowOf[column] = rowOf[before]!;
    column = before;
  }
}

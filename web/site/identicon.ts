/** Squares per side, mirrored at the middle column. */
export const SQUARES = 5;

/** An identicon drawn from a name. */
export interface Identicon {
  /** Filled squares, column and row from 0. */
  readonly squares: readonly (readonly [x: number, y: number])[];
  readonly colour: readonly [red: number, green: number, blue: number];
}

/** The identicon of a name: the same for every letter case and everywhere it is drawn. */
export function identicon(name: string): Identicon {
  const hash = new Bun.CryptoHasher("sha256").update(name.toLowerCase().slice(0, 100)).digest();
  const squares: (readonly [number, number])[] = [];
  for (let y = 0; y < SQUARES; y++)
    for (let x = 0; x < SQUARES; x++)
      if (((hash[y * 3 + Math.min(x, SQUARES - 1 - x)] ?? 0) & 1) === 1) squares.push([x, y]);
  return { squares, colour: colour(hash) };
}

/** A hue derived from the name, dark enough on white and light enough on black. */
function colour(hash: Uint8Array): [number, number, number] {
  const hue = ((hash[30] ?? 0) * 256 + (hash[31] ?? 0)) / 65_536;
  const channel = (shift: number) => {
    const t = (hue + shift) % 1;
    const level = t < 1 / 6 ? t * 6 : t < 1 / 2 ? 1 : t < 2 / 3 ? (2 / 3 - t) * 6 : 0;
    return Math.round(70 + 120 * level);
  };
  return [channel(1 / 3), channel(0), channel(2 / 3)];
}

import { minidenticon } from "minidenticons";

/**
 * The picture `/avatars/<hash>` answers for an account that uploaded none: an SVG drawn from the hash alone.
 * Five by five squares, mirrored, one of nine colours.
 */
export function identiconSvg(seed: string): string {
  return minidenticon(seed, 55, 45);
}

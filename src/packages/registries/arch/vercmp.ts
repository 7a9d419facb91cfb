/** Compares versions like pacman (vercmp(8)): `[epoch:]version[-release]`. @returns below 0 if the second is newer */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  const difference = compareParts(left.epoch, right.epoch) || compareParts(left.version, right.version);
  if (difference !== 0 || left.release === undefined || right.release === undefined) return difference;
  return compareParts(left.release, right.release);
}

function partsOf(text: string): { epoch: string; version: string; release: string | undefined } {
  const [, epoch = "0", version = "", release] = /^(?:(\d*):)?(.*?)(?:-([^-]*))?$/s.exec(text) ?? [];
  return { epoch: epoch || "0", version, release };
}

/**
 * Compares runs of digits and of letters in turn; of separators only the length counts. A number is newer than letters;
 * if one string ends first, the other is newer unless it continues with letters: `1.0rc1` comes before `1.0`.
 */
function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  let [left, right] = [a, b];
  while (left !== "" && right !== "") {
    const [leftGap, rightGap] = [gapOf(left), gapOf(right)];
    [left, right] = [left.slice(leftGap), right.slice(rightGap)];
    if (left === "" || right === "") break;
    if (leftGap !== rightGap) return leftGap - rightGap;
    const isNumber = /^\d/.test(left);
    const run = isNumber ? /^\d*/ : /^[A-Za-z]*/;
    const [mine = "", other = ""] = [run.exec(left)?.[0], run.exec(right)?.[0]];
    if (other === "") return isNumber ? 1 : -1;
    const difference = isNumber ? compareNumbers(mine, other) : compareTexts(mine, other);
    if (difference !== 0) return difference;
    [left, right] = [left.slice(mine.length), right.slice(other.length)];
  }
  if (left === "" && right === "") return 0;
  return (left === "" && !/^[A-Za-z]/.test(right)) || /^[A-Za-z]/.test(left) ? -1 : 1;
}

const gapOf = (text: string) => /^[^A-Za-z0-9]*/.exec(text)?.[0].length ?? 0;

/** Of any length. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return left.length - right.length || compareTexts(left, right);
}

const compareTexts = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

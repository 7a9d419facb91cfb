import type { Oid } from "../objects/types.ts";
import type { Ref } from "../refs/types.ts";

/**
 * Refs on their way to a worker: one text, as copying a hundred thousand small objects between threads would hold the
 * event loop up for longer than anything may. A line each: id, name, and what a tag points to; names have no spaces.
 */
export function encodeRefs(refs: readonly Ref[]): string {
  let text = "";
  for (const ref of refs) text += ref.peeled ? `${ref.oid} ${ref.name} ${ref.peeled}\n` : `${ref.oid} ${ref.name}\n`;
  return text;
}

/** So often the text is searched; whoever asks more often wants thousands, and a table is made for him. */
const FEW_SEARCHES = 8;

/** The same refs again, read only as far as somebody asks: most fetches want what one of thousands points to. */
export class RefLines {
  private decoded: readonly Ref[] | undefined;
  private oids: ReadonlySet<Oid> | undefined;
  private byName: ReadonlyMap<string, Ref> | undefined;
  private searches = 0;

  constructor(private readonly text: string) {}

  /** Whether a ref points to it, or is a tag that does in the end. */
  names(oid: Oid): boolean {
    if (++this.searches > FEW_SEARCHES) {
      this.oids ??= new Set(this.all().flatMap((ref) => (ref.peeled ? [ref.oid, ref.peeled] : [ref.oid])));
      return this.oids.has(oid);
    }
    const { text } = this;
    return text.startsWith(`${oid} `) || text.includes(`\n${oid} `) || text.includes(` ${oid}\n`);
  }

  named(name: string): Ref | undefined {
    this.byName ??= new Map(this.all().map((ref) => [ref.name, ref]));
    return this.byName.get(name);
  }

  /** All of them, in their order. */
  all(): readonly Ref[] {
    this.decoded ??= decodeRefs(this.text);
    return this.decoded;
  }

  /** The refs that are annotated tags. */
  *tags(): Generator<{ readonly oid: Oid; readonly peeled: Oid }> {
    for (const [, oid, peeled] of this.text.matchAll(/^([0-9a-f]+) \S+ ([0-9a-f]+)$/gm))
      yield { oid: oid!, peeled: peeled! };
  }
}

function decodeRefs(text: string): Ref[] {
  const refs: Ref[] = [];
  for (const line of text.split("\n")) {
    const [oid, name, peeled] = line.split(" ");
    if (oid === undefined || name === undefined) continue;
    refs.push(peeled === undefined ? { name, oid } : { name, oid, peeled });
  }
  return refs;
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const EXACT = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long", timeZone: "UTC" });

/** Milliseconds since 1970, UTC. */
export type Instant = number;

/** "21 Nov 2026". */
export function dayText(at: Instant): string {
  return DAY.format(at);
}

/** A moment: the date as text, so that it says something without the script, which turns it into "3 hours ago". */
export function Time({ at, prefix }: { at: Instant; prefix?: string }) {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return <span class="muted">unknown date</span>;
  return (
    <time datetime={new Date(at).toISOString()} title={EXACT.format(at)} data-rel={prefix ?? ""}>
      {prefix ? `${prefix} ` : ""}
      {DAY.format(at)}
    </time>
  );
}

import { describe, expect, test } from "bun:test";
import { Status } from "../../src/actions/runs/statuses.ts";
import type { Step } from "../../src/actions/runs/types.ts";
import { logHtml } from "../../web/runs/log-lines.ts";
import { placedSteps } from "../../web/runs/steps.ts";

/** Logs of jobs as pages show them (contract actions.md 9.2 and 9.3). */

const html = (...texts: string[]): string =>
  String(
    logHtml(
      texts.map((text, index) => ({ index, at: Date.UTC(2026, 0, 2, 3, 4, 5), text })),
      0,
    ),
  );
const textOf = (line: string): string =>
  /<span class="log-text ([^"]*)">(.*)<\/span><\/div>/s.exec(html(line))?.[2] ?? "";
const kindOf = (line: string): string => /<span class="log-text ([^"]*)">/.exec(html(line))?.[1] ?? "none";

describe("a line", () => {
  test("has its number and its time", () => {
    expect(html("hello")).toContain(
      '<span class="log-number">1</span><time datetime="2026-01-02T03:04:05.000Z">03:04:05</time>',
    );
  });

  test.each([
    ["##[error]broken", "log-error", "broken"],
    ["[command]/usr/bin/git", "log-command", "/usr/bin/git"],
    ["::warning file=a.ts,line=1::odd", "log-warning", "odd"],
    ["::notice::100%25%0Adone", "log-notice", "100%\ndone"],
    ["::debug::x", "log-debug", "x"],
    ["plain ::error:: inside", "", "plain ::error:: inside"],
  ])("%p is coloured as what it is", (line, kind, text) => {
    expect(kindOf(line)).toBe(kind);
    expect(textOf(line)).toBe(text);
  });

  test("that is for the runner is not shown", () => {
    expect(html("::add-matcher::/tmp/a.json")).toBe("");
  });

  test("is text, whatever it holds", () => {
    expect(textOf('<script>alert(1)</script> & "quotes"')).toBe(
      "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;",
    );
    expect(textOf('::error::<img src=x onerror="1">')).not.toContain("<img");
    expect(html("##[group]<b>bold</b>")).not.toContain("<b>");
  });

  test("links to what looks like an address, without the full stop behind it", () => {
    expect(textOf("see https://example.com/a?b=1&c=2.")).toBe(
      'see <a href="https://example.com/a?b=1&amp;c=2" rel="nofollow noopener ugc">https://example.com/a?b=1&amp;c=2</a>.',
    );
    expect(textOf("javascript://example.com")).not.toContain("<a");
  });

  test("has the colours of terminals", () => {
    expect(textOf("\u001b[31mred\u001b[0m plain \u001b[1;32mbold green\u001b[22;39m.")).toBe(
      '<span class="ansi-red">red</span> plain <span class="ansi-green ansi-bold">bold green</span>.',
    );
    expect(textOf("\u001b[38;5;196mred\u001b[m")).toBe('<span class="ansi-red">red</span>');
    expect(textOf("\u001b[38;2;1;2;3mtrue colour")).toBe("true colour");
    expect(textOf("\u001b[2K\u001b[1Aup \u001b]0;title\u0007down")).toBe("up down");
  });
});

describe("groups", () => {
  test("fold what is between their ends", () => {
    const all = html("::group::Install", "one", "::endgroup::", "two");
    expect(all).toMatch(
      /<details class="log-group"><summary class="log-line">.*Install.*<\/summary><div.*one.*<\/div><\/details><div.*two/,
    );
  });

  test("that are not ended end with the log, and ends without a group are nothing", () => {
    const all = html("##[endgroup]", "##[group]a", "##[group]b");
    expect(all.split("<details").length - 1).toBe(2);
    expect(all.split("</details>").length - 1).toBe(2);
  });
});

describe("steps", () => {
  const step = (position: number, more: Partial<Step> = {}): Step => ({
    position,
    name: `step ${position}`,
    status: Status.waiting,
    logIndex: 0,
    logLength: 0,
    startedAt: undefined,
    stoppedAt: undefined,
    ...more,
  });
  const task = { logRows: 10, startedAt: 1_000, status: Status.running, stoppedAt: undefined };
  const rangesOf = (...args: Parameters<typeof placedSteps>) => placedSteps(...args).map(({ from, to }) => [from, to]);
  const statusesOf = (...args: Parameters<typeof placedSteps>) => placedSteps(...args).map(({ status }) => status);

  test("before one has begun, all rows are those of setting up", () => {
    expect(rangesOf(task, [step(0)])).toEqual([
      [0, 10],
      [0, 0],
      [10, 10],
    ]);
    expect(statusesOf(task, [step(0)])).toEqual([Status.running, Status.waiting, Status.waiting]);
  });

  test("one that runs has the rows that were reported of it", () => {
    const running = step(0, { status: Status.running, startedAt: 2_000, logIndex: 3, logLength: 4 });
    expect(rangesOf(task, [running, step(1)])).toEqual([
      [0, 3],
      [3, 7],
      [0, 0],
      [10, 10],
    ]);
    expect(statusesOf(task, [running, step(1)])).toEqual([
      Status.success,
      Status.running,
      Status.waiting,
      Status.waiting,
    ]);
  });

  test("after the last one the rest belongs to completing", () => {
    const done = { ...task, status: Status.success, stoppedAt: 9_000 };
    const one = step(0, { status: Status.success, startedAt: 2_000, stoppedAt: 8_000, logIndex: 3, logLength: 4 });
    expect(rangesOf(done, [one])).toEqual([
      [0, 3],
      [3, 7],
      [7, 10],
    ]);
    expect(statusesOf(done, [one])).toEqual([Status.success, Status.success, Status.success]);
  });

  test("a report of more rows than there are shows those there are", () => {
    const one = step(0, { status: Status.running, startedAt: 2_000, logIndex: 50, logLength: 4_000 });
    expect(rangesOf(task, [one])).toEqual([
      [0, 10],
      [10, 10],
      [10, 10],
    ]);
  });
});

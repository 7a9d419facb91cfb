import { expect, test } from "bun:test";
import { join } from "node:path";
import { approximateDate } from "../../../cli/git/approximate-dates.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

const TEXTS = [
  ...["now", "today", "yesterday", "noon", "midnight", "tea", "never", "tomorrow", "nothing", "", "last", "@0", "@5"],
  ...["2 weeks ago", "2.weeks.ago", "1 day ago", "last week", "last month", "last year", "1 year 2 months ago", "1d"],
  ...[
    "last monday",
    "last tuesday",
    "2 sundays ago",
    "monday",
    "3 weeks ago monday",
    "yesterday noon",
    "tea yesterday",
  ],
  ...[
    "5pm",
    "0am",
    "12am",
    "12pm",
    "13pm",
    "6 am",
    "5pm yesterday",
    "12:34",
    "12:34:56 last friday",
    "19:00 2 days ago",
  ],
  ...[
    "2023-01-05",
    "2023/01/05",
    "01/05/2023",
    "13/01/2023",
    "12/25/2023",
    "5.1.2023",
    "1.5 days ago",
    "5/6",
    "06/05/09",
  ],
  ...["2023-13-01", "2020-02-30", "2020-12", "20230105", "20230105T120000", "2023-01-05 12:00", "2023-01-05T12:00:00Z"],
  ...["Jan 5 2023", "5 January", "Dec 5", "Nov 30", "June 2020", "june 31", "Feb", "5pm Jan 5 2020", "Friday 13"],
  ...["1", "31", "70", "99", "1969", "2099", "2100", "100000000", "99999999", "1500000000 +0200", "-1", "3 2 days"],
  ...["5 days ago at 3pm", "1 month ago Mar 31", "Mar 31 1 month ago", "2 last week", "1 year ago jan", "ten days ago"],
];
/** A February that has passed, the end of a long month, the first minute of a year, and a summer's night. */
const MOMENTS = [1709254800, 1698793200, 1704067300, 1750000000];

test("moments are read as git reads them, in words and any order", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  // The zone of this process: `Date` goes by it.
  const TZ = process.env["TZ"];
  for (const seconds of MOMENTS) {
    const env = { GIT_TEST_DATE_NOW: String(seconds), TZ };
    const answer = gitText(["-C", repo, "rev-parse", ...TEXTS.map((text) => `--since=${text}`)], { env });
    const expected = answer.split("\n").map((line) => Number(line.replace("--max-age=", "")));
    const now = new Date(seconds * 1000);
    expect(TEXTS.map((text) => [text, approximateDate(text, now)])).toEqual(
      TEXTS.map((text, i) => [text, expected[i] ?? Number.NaN]),
    );
  }
});

import type { FileDiff as EngineFile } from "../../src/git/diff/file-diff.ts";
import type { CodeComment } from "../../src/pulls/review/types.ts";
import { type ViewedMarks, viewedState } from "../../src/pulls/review/viewed.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import type { WebServices } from "../area.ts";
import { diffAnchor } from "../components/diff-file.tsx";
import type { FileDiff, FileSlots } from "../components/diff-types.ts";
import { boxActions } from "../conversation/item-data.ts";
import type { ConversationTexts } from "../conversation/texts.ts";
import type { JSX } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type LineFormProps, type NotedPlace, Notes } from "./line-form.tsx";
import { pullHref } from "./shown.ts";
import { Thread } from "./thread.tsx";
import { type ThreadView, threadsOf } from "./thread-data.ts";
import { pullWords } from "./words/index.ts";

/** What whoever looks sees and may do beside the lines of a pull request. */
export interface ReviewView {
  readonly mayReview: boolean;
  readonly marks: ViewedMarks;
  readonly showsOutdated: boolean;
  /** The place whose form is open without a script. */
  readonly open: NotedPlace | undefined;
}

export const placeName = ({ line }: Pick<CodeComment, "line">): string =>
  line === 0 ? "F" : line < 0 ? `L${-line}` : `R${line}`;

/** The form for a comment on a place. */
export function lineForm(services: WebServices, item: SeenPull, place: NotedPlace): LineFormProps {
  return {
    place,
    href: pullHref(item),
    headOid: item.pull.headOid,
    hasPending: services.reviews.pendingOf(item) !== undefined,
    box: boxActions(services, item),
  };
}

/** What stands in the boxes of these files: comments under their lines, marks of what was viewed, buttons. */
export async function fileSlots(
  services: WebServices,
  texts: ConversationTexts,
  item: SeenPull,
  files: readonly EngineFile[],
  view: ReviewView,
): Promise<(file: FileDiff) => FileSlots> {
  const paths = new Set(files.map(({ newPath }) => newPath));
  const comments = services.codeComments
    .ofPull(item)
    .filter(({ isOutdated, path }) => paths.has(path) && (!isOutdated || view.showsOutdated));
  const threads = await threadsOf(services, texts, item, comments);
  return (file) => slotsOf(services, item, file, view, threads);
}

function slotsOf(
  services: WebServices,
  item: SeenPull,
  file: FileDiff,
  { marks, mayReview, open }: ReviewView,
  threads: readonly ThreadView[],
): FileSlots {
  const own = threads.filter(({ path }) => path === file.newPath);
  const shown = new Set(
    file.hunks.flatMap(({ lines }) =>
      lines.flatMap(({ newNo, oldNo }) => [...(oldNo ? [`L${oldNo}`] : []), ...(newNo ? [`R${newNo}`] : [])]),
    ),
  );
  const placed = new Map<string, ThreadView[]>();
  const elsewhere: ThreadView[] = [];
  for (const thread of own) {
    const name = placeName(thread);
    // Lines that are fetched later bring their comments.
    if (thread.isOutdated || (name !== "F" && !file.tooLarge && !shown.has(name))) elsewhere.push(thread);
    else placed.set(name, [...(placed.get(name) ?? []), thread]);
  }
  const opened = open?.path === file.newPath ? open : undefined;
  if (opened && !placed.has(opened.name)) placed.set(opened.name, []);
  const under = new Map<string, JSX.Element>();
  for (const [name, list] of placed) {
    const place = { path: file.newPath, name };
    const form = opened?.name === name && mayReview ? lineForm(services, item, place) : undefined;
    under.set(name, <Notes place={place} threads={list} form={form} />);
  }
  const state = viewedState(marks, file.newPath, file.newOid);
  const form = `n${diffAnchor(file.newPath).slice(5, 12)}`;
  return {
    ...(mayReview ? { tools: <FileTools href={pullHref(item)} file={file} form={form} state={state} /> } : {}),
    top: (
      <div class="file-notes">
        {elsewhere.map((thread) => (
          <Thread thread={thread} />
        ))}
        {under.get("F")}
      </div>
    ),
    lines: { under, ...(mayReview ? { form } : {}) },
    isFolded: state === "viewed" && !opened,
  };
}

/** The buttons of files send their marks with this form, which the page has once. */
export const VIEWED_FORM = "viewed-files";

function FileTools(props: { href: string; file: FileDiff; form: string; state: ReturnType<typeof viewedState> }) {
  const t = useWords(pullWords);
  const { file, form, href, state } = props;
  const isViewed = state === "viewed";
  return (
    <>
      {state === "has-changed" ? <span class="badge tone-warn">{t("changedSince")}</span> : null}
      <form id={form} action={`${href}/files`}>
        <input type="hidden" name="path" value={file.newPath} />
        <button type="submit" class="btn btn-small btn-quiet" name="comment" value="F">
          {t("commentOnFile")}
        </button>
      </form>
      <button
        type="submit"
        class="btn btn-small"
        form={VIEWED_FORM}
        name={isViewed ? "unviewed" : "viewed"}
        value={file.newPath}
        aria-pressed={isViewed ? "true" : "false"}
      >
        {t("viewed")}
      </button>
    </>
  );
}

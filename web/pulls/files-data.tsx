import { editFiles } from "../../src/content/access.ts";
import type { FileDiff as EngineFile } from "../../src/git/diff/file-diff.ts";
import { segments } from "../../src/kernel/url-path.ts";
import { headRepoOf } from "../../src/pulls/head-repo.ts";
import type { CodeComment } from "../../src/pulls/review/types.ts";
import { type ViewedMarks, viewedState } from "../../src/pulls/review/viewed.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import { mayUse } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { IconLink } from "../components/button.tsx";
import { diffAnchor } from "../components/diff-file.tsx";
import type { FileDiff, FileSlots } from "../components/diff-types.ts";
import { mayEditAt } from "../content/edit-place.ts";
import { contentWords } from "../content/words/index.ts";
import { boxActions } from "../conversation/item-data.ts";
import type { ConversationTexts } from "../conversation/texts.ts";
import type { JSX } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoName, repoHref } from "../links.ts";
import { type LineFormProps, type NotedPlace, Notes } from "./line-form.tsx";
import { pullHref } from "./shown.ts";
import { Thread } from "./thread.tsx";
import { type ThreadView, threadsOf } from "./thread-data.ts";
import { pullWords } from "./words/index.ts";

/** What the viewer sees and may do beside the lines of a pull request. */
export interface ReviewView {
  readonly mayReview: boolean;
  readonly marks: ViewedMarks;
  readonly showsOutdated: boolean;
  /** The place whose form is open without JavaScript. */
  readonly open: NotedPlace | undefined;
  /** The branch the changes come from, if the viewer may write to it. */
  readonly editable: EditableHead | undefined;
}

export interface EditableHead {
  readonly repo: RepoName;
  readonly branch: string;
}

/** Where the viewer may edit the files, possibly as a maintainer of the base. */
export function editableHead(services: WebServices, item: SeenPull): EditableHead | undefined {
  const { isAgit, isOpen, headBranch: branch } = item.pull;
  const head = isOpen && !isAgit ? headRepoOf(services.repos, item) : undefined;
  if (!head || !mayUse(editFiles, head) || !mayEditAt(services, { seen: head, branch })) return undefined;
  return { repo: { owner: head.owner.login, name: head.repo.name }, branch };
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

/** Content for the files' boxes: comments under their lines, viewed marks, buttons. */
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
  { editable, marks, mayReview, open }: ReviewView,
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
    // Lines that are loaded later bring their comments with them.
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
    tools: (
      <>
        {editable && isText(file) ? <EditLink head={editable} path={file.newPath} /> : null}
        {mayReview ? <FileTools href={pullHref(item)} file={file} form={form} state={state} /> : null}
      </>
    ),
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

/** Whether the editor can hold the file's current content. */
const isText = ({ binary, newMode, status }: FileDiff): boolean =>
  !binary && status !== "deleted" && newMode.startsWith("100");

function EditLink({ head, path }: { head: EditableHead; path: string }) {
  const t = useWords(contentWords);
  const href = repoHref(head.repo, `_edit/${segments(head.branch)}/${segments(path)}`);
  return <IconLink small icon="pencil" href={href} label={t("editNamed", { path })} title={t("edit")} />;
}

/** The viewed buttons of files submit this form, which the page has once. */
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
        <button
          type="submit"
          class="btn btn-icon btn-quiet btn-small i-comment"
          name="comment"
          value="F"
          aria-label={t("commentOnFile")}
          title={t("commentOnFile")}
        />
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

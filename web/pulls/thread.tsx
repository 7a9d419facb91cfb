import { Avatar, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { diffAnchor } from "../components/diff-file.tsx";
import { FormActions } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Prose } from "../components/prose.tsx";
import { Badge, RowMenu } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { TextBox } from "../conversation/comment-form.tsx";
import { conversationWords } from "../conversation/words/index.ts";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import type { ShownPart, ThreadComment, ThreadView } from "./thread-data.ts";
import { pullWords } from "./words/index.ts";

/** Checked suggestions, or the one whose button is pressed, are submitted with this form, which the page has once. */
export const BATCH_FORM = "suggestion-batch";

/**
 * Comments on the same lines. In a diff they are under their line; elsewhere the lines are shown above them. Its forms
 * return to the page they are on; with JavaScript, the response replaces only the thread.
 */
export function Thread({ inDiff = false, thread }: { inDiff?: boolean; thread: ThreadView }) {
  const t = useWords(pullWords);
  const { comments, href, isOutdated, isPending, isResolved, may, path } = thread;
  const anchor = `${diffAnchor(path)}${thread.line < 0 ? "L" : "R"}${Math.abs(thread.line)}`;
  return (
    <details class="review-thread" id={`thread-${thread.id}`} open={!isResolved && (inDiff || !isOutdated)}>
      <summary>
        {inDiff ? t("threadOf", { count: comments.length }) : <code>{path}</code>}{" "}
        <span class="muted">
          <Lines {...thread} />
        </span>{" "}
        {isPending ? <Badge tone="warn">{t("pending")}</Badge> : null}
        {isOutdated ? <Badge tone="warn">{t("outdated")}</Badge> : null}
        {isResolved ? <Badge tone="ok">{t("resolvedBy", { name: thread.resolver })}</Badge> : null}
      </summary>
      {inDiff || isOutdated ? null : (
        <p class="review-forms">
          <a href={`${withQuery(`${href}/files`, { "skip-to": path })}#${anchor}`}>{t("showInFiles")}</a>
        </p>
      )}
      {(inDiff && !isOutdated) || thread.hunk === "" ? null : <Hunk text={thread.hunk} />}
      {comments.map((comment) => (
        <Comment comment={comment} mayApply={may.apply} />
      ))}
      {may.reply || may.resolve ? <ThreadForms thread={thread} inDiff={inDiff} /> : null}
    </details>
  );
}

function ThreadForms({ inDiff, thread }: { inDiff: boolean; thread: ThreadView }) {
  const t = useWords(pullWords);
  const { box, href, id, isResolved, items, may } = thread;
  const form = (action: string) => ({
    method: "post" as const,
    action,
    "hx-post": action,
    "hx-target": `#thread-${id}`,
    "hx-swap": "outerHTML",
  });
  const hidden = (
    <>
      <input type="hidden" name="comment_id" value={String(id)} />
      <input type="hidden" name="origin" value={inDiff ? "diff" : "timeline"} />
    </>
  );
  return (
    <div class="review-forms">
      {may.reply ? (
        <details>
          <summary class="btn btn-small">{t("reply")}</summary>
          <form class="form" {...form(`${href}/replies`)}>
            {hidden}
            <TextBox
              {...box}
              id={`reply-${id}`}
              name="content"
              label={t("yourReply")}
              hidesLabel
              value=""
              rows={3}
              required
              draft={`${href} reply ${id}`}
            />
            <FormActions>
              <SubmitButton small>{t("reply")}</SubmitButton>
            </FormActions>
          </form>
        </details>
      ) : null}
      {may.resolve ? (
        <form {...form(`${items}/resolve_conversation`)}>
          {hidden}
          <SubmitButton small name="action" value={isResolved ? "UnResolve" : "Resolve"}>
            {isResolved ? t("reopenTalk") : t("resolve")}
          </SubmitButton>
        </form>
      ) : null}
    </div>
  );
}

/** Describes which lines the comments are about. */
function Lines({ line, startLine }: Pick<ThreadView, "line" | "startLine">) {
  const t = useWords(pullWords);
  if (line === 0) return <>{t("wholeFile")}</>;
  const [first, last] = [Math.abs(startLine || line), Math.abs(line)];
  if (first === last) return <>{line > 0 ? t("lineNo", { line: last }) : t("oldLineNo", { line: last })}</>;
  return <>{line > 0 ? t("lineNos", { first, last }) : t("oldLineNos", { first, last })}</>;
}

function Hunk({ text }: { text: string }) {
  return (
    <pre class="review-hunk" tabindex={0}>
      {text.split("\n").map((line) => (
        <HunkLine line={line} />
      ))}
    </pre>
  );
}

function HunkLine({ line }: { line: string }) {
  if (line.startsWith("+")) return <ins>{line}</ins>;
  if (line.startsWith("-")) return <del>{line}</del>;
  return <span>{line}</span>;
}

function Comment({ comment, mayApply }: { comment: ThreadComment; mayApply: boolean }) {
  const t = useWords(conversationWords);
  const { edit, id, parts, person, remove } = comment;
  const anchor = `issuecomment-${id}`;
  return (
    <article class="review-comment" id={anchor}>
      <header class="row">
        <Avatar person={person} />
        <PersonName person={person} />
        <a class="muted" href={`#${anchor}`}>
          <Time at={comment.at} />
        </a>
        {comment.isEdited ? <span class="muted">{t("edited")}</span> : null}
        {edit || remove ? (
          <span class="push-end">
            <RowMenu name={t("commentMenu", { name: person.name })}>
              {edit ? (
                <li>
                  <a class="menu-item" href={edit} hx-get={edit} hx-target={`#${anchor}-body`} hx-swap="afterend">
                    <Icon name="pencil" /> {t("edit")}
                  </a>
                </li>
              ) : null}
              {remove ? (
                <li>
                  <form method="post" action={remove} data-confirm={t("reallyDelete")}>
                    <button type="submit" class="menu-item menu-danger">
                      <Icon name="trash" /> {t("delete")}
                    </button>
                  </form>
                </li>
              ) : null}
            </RowMenu>
          </span>
        ) : null}
      </header>
      <div id={`${anchor}-body`} data-body="">
        {parts.map((part) => (
          <Part part={part} mayApply={mayApply} />
        ))}
      </div>
    </article>
  );
}

function Part({ mayApply, part }: { mayApply: boolean; part: ShownPart }) {
  const t = useWords(pullWords);
  if (part.kind === "text") return <Prose html={part.html} />;
  const { added, name, removed } = part;
  return (
    <figure class="suggestion">
      <figcaption>{t("suggestedChange")}</figcaption>
      <pre class="review-hunk" tabindex={0}>
        {removed.map((line) => (
          <del>{`-${line}`}</del>
        ))}
        {added.map((line) => (
          <ins>{`+${line}`}</ins>
        ))}
      </pre>
      {mayApply ? (
        <div class="row">
          <button type="submit" class="btn btn-small" form={BATCH_FORM} name="only" value={name}>
            {t("applySuggestion")}
          </button>
          <label class="row">
            <input type="checkbox" form={BATCH_FORM} name="suggestion" value={name} /> {t("addToBatch")}
          </label>
        </div>
      ) : null}
    </figure>
  );
}

/** The bar that submits checked suggestions; it appears once one is checked. */
export function SuggestionBatch({ href, isOnFiles = false }: { href: string; isOnFiles?: boolean }) {
  const t = useWords(pullWords);
  return (
    <form class="suggestion-batch" id={BATCH_FORM} method="post" action={`${href}/suggestions`}>
      {isOnFiles ? <input type="hidden" name="origin" value="diff" /> : null}
      <div class="row">
        <label for="batch-message">{t("batchMessage")}</label>
        <input id="batch-message" name="message" maxlength={1000} autocomplete="off" />
        <SubmitButton kind="primary" small>
          {t("applyBatch")}
        </SubmitButton>
      </div>
    </form>
  );
}

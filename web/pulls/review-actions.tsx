import { isPartial } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { BadRequest, Conflict, Failure, NotFound } from "../../src/kernel/errors.ts";
import { asksPulls, changesPulls } from "../../src/pulls/access.ts";
import { numberIn, seenPull } from "../../src/pulls/call.ts";
import type { ChosenSuggestion } from "../../src/pulls/review/apply.ts";
import type { NewCodeComment } from "../../src/pulls/review/comments.ts";
import { reviewStates } from "../../src/pulls/review/types.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { sent } from "../conversation/sent.ts";
import type { ConversationTexts } from "../conversation/texts.ts";
import { type Form, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, showPart } from "../visit.ts";
import { actionsOf } from "./actions.ts";
import { ReviewBar } from "./files-bar.tsx";
import { notes, placeIn, reviewBar } from "./files-routes.tsx";
import type { NotedPlace } from "./line-form.tsx";
import { pullHref } from "./shown.ts";
import { Thread } from "./thread.tsx";
import { threadsOf } from "./thread-data.ts";
import { pullWords } from "./words/index.ts";

/** The form handlers for reviews on pull request pages (contract pulls.md 18 and 22.4). */
export function reviewActions(services: WebServices, texts: ConversationTexts): Route[] {
  const { codeComments, pulls, reviews, suggestions } = services;
  const action = actionsOf(services);
  const words = (call: Call) => wordsFor(call, pullWords);
  const path = "/:owner/:repo/pulls/:index";
  const post = { method: "POST", surface: "page", access: changesPulls } as const;
  const toFiles = () => "/files";
  return [
    { ...post, path: `${path}/files/reviews/comments`, handle: (call) => addComment(services, texts, call) },
    {
      ...post,
      path: `${path}/replies`,
      handle: (call) =>
        onThread(
          services,
          texts,
          call,
          (found, form) => codeComments.reply(found, form.exact("content"), sent(form, "files")).id,
        ),
    },
    {
      ...post,
      path: "/:owner/:repo/issues/resolve_conversation",
      handle: (call) =>
        onThread(services, texts, call, (found, form) => {
          codeComments.resolve(found, form.text("action") !== "UnResolve");
          return found.comment.id;
        }),
    },
    ...(["issues", "pulls"] as const).map((at): Route => {
      const viewed = `/:owner/:repo/${at}/:index/viewed-files`;
      return { ...post, access: asksPulls, path: viewed, handle: (call) => markViewed(services, call) };
    }),
    action(
      "suggestions",
      async (item, form, call) => {
        const chosen = chosenIn(form);
        await suggestions.apply(item, chosen, form.text("message"));
        return words(call)("suggestionsApplied", { count: chosen.length });
      },
      { back: (form) => (form.text("origin") === "diff" ? "/files" : "") },
    ),
    action(
      "files/reviews/submit",
      async (item, form, call) => {
        const kind =
          (["approve", "reject", "comment"] as const).find((each) => each === form.text("type")) ?? "comment";
        const { entryId } = await reviews.create(item, {
          event: reviewStates[kind],
          body: form.exact("content").replaceAll("\r\n", "\n"),
          commitId: form.text("commit_id"),
          comments: [],
          files: sent(form, "files"),
        });
        return { text: words(call)("reviewSent"), to: `${pullHref(item)}#issuecomment-${entryId}` };
      },
      { back: toFiles },
    ),
    action(
      "files/reviews/discard",
      (item, _form, call) => {
        const pending = reviews.pendingOf(pulls.refreshed(item));
        if (pending) reviews.remove(item, pending);
        return words(call)("reviewDiscarded");
      },
      { back: toFiles },
    ),
  ];
}

/** `12.0`: the comment and the index of its suggestion. The button of a single one sends only that one. */
function chosenIn(form: Form): ChosenSuggestion[] {
  const names = form.text("only") === "" ? form.texts("suggestion") : [form.text("only")];
  return [...new Set(names)].flatMap((name) => {
    const [, comment, index] = /^(\d{1,15})\.(\d{1,4})$/.exec(name) ?? [];
    return comment && index ? [{ commentId: Number(comment), index: Number(index) }] : [];
  });
}

/** A comment on a line, lines or a file: on its own, or as part of a review that is sent later. */
async function addComment(services: WebServices, texts: ConversationTexts, call: Call): Promise<Response> {
  const item = seenPull(call, services.pulls);
  const form = await readForm(call);
  const place = placeIn((name) => form.text(name));
  try {
    const id = await say(services, item, form, place);
    const now = services.pulls.refreshed(item);
    if (!isPartial(call.request)) return backToThread(services, call, now, form, id);
    return showPart(
      call,
      <>
        {await notes(services, texts, now, place)}
        <ReviewBar {...reviewBar(services, now)} />
      </>,
    );
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500 || error.status === 404) throw error;
    const text = refusalText(call, error);
    if (!isPartial(call.request))
      return redirectAfterPost(services, call, `${pullHref(item)}/files`, { kind: "error", text });
    const refused = { value: form.exact("content"), startLine: form.text("start_line"), error: text };
    return showPart(call, await notes(services, texts, item, place, refused), { status: 422 });
  }
}

/** @returns the id of the comment */
async function say(services: WebServices, item: SeenPull, form: Form, place: NotedPlace): Promise<number> {
  const { codeComments, reviews } = services;
  const shown = form.text("latest_commit_id");
  // The line may have moved in the meantime.
  if (shown !== "" && shown !== item.pull.headOid) throw new Conflict("pull.head-out-of-date");
  const comment = commentIn(form, place);
  const answered = form.number("reply");
  if (answered !== undefined) {
    const [first] = codeComments
      .of(reviews.get(item, answered))
      .filter(({ line, path }) => line === comment.line && path === comment.path);
    if (!first) throw new BadRequest("review.plain-comment");
    return codeComments.reply({ item, comment: first }, comment.body, comment.files).id;
  }
  const isAlone = form.checked("single_review") && reviews.pendingOf(item) === undefined;
  const review = isAlone
    ? await reviews.create(item, { event: reviewStates.comment, body: "", commitId: "", comments: [comment] })
    : await reviews.draft(item, [comment]);
  return Math.max(...codeComments.of(review).map(({ id }) => id));
}

function commentIn(form: Form, { name, path }: NotedPlace): NewCodeComment {
  const body = form.exact("content").replaceAll("\r\n", "\n");
  const files = sent(form, "files");
  if (name === "F") return { path, body, files, line: 0, startLine: 0, isOfFile: true };
  const sign = name.startsWith("L") ? -1 : 1;
  const line = Number(name.slice(1));
  const start = form.number("start_line") ?? 0;
  return { path, body, files, line: sign * line, startLine: start === 0 || start === line ? 0 : sign * start };
}

/** Actions on a thread return to it; with JavaScript, the response replaces the thread. */
async function onThread(
  services: WebServices,
  texts: ConversationTexts,
  call: Call,
  work: (found: ReturnType<WebServices["codeComments"]["find"]>, form: Form) => number,
): Promise<Response> {
  const { codeComments, pulls } = services;
  const form = await readForm(call);
  const found = codeComments.find(seenRepo(call), form.number("comment_id") ?? 0);
  const { item } = found;
  if (call.params["index"] !== undefined && numberIn(call, "index") !== item.issue.number) throw new NotFound();
  try {
    const id = work(found, form);
    if (!isPartial(call.request)) return backToThread(services, call, item, form, id);
    const { line, path, reviewId } = found.comment;
    const same = codeComments
      .ofPull(item)
      .filter((each) => each.reviewId === reviewId && each.line === line && each.path === path);
    const [thread] = await threadsOf(services, texts, pulls.refreshed(item), same);
    if (!thread) throw new BadRequest("review.plain-comment");
    return showPart(call, <Thread thread={thread} inDiff={form.text("origin") === "diff"} />);
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500 || error.status === 404) throw error;
    const to = pullHref(item) + (form.text("origin") === "diff" ? "/files" : "");
    return redirectAfterPost(services, call, to, { kind: "error", text: refusalText(call, error) });
  }
}

function backToThread(services: WebServices, call: Call, item: SeenPull, form: Form, id: number): Response {
  const page = form.text("origin") === "timeline" ? "" : "/files";
  return redirectAfterPost(services, call, `${pullHref(item)}${page}#issuecomment-${id}`);
}

/** Viewed marks of files: JSON from scripts and clients, or the button of one file without JavaScript. */
async function markViewed(services: WebServices, call: Call): Promise<Response> {
  const item = seenPull(call, services.pulls);
  const isJson = /json/.test(call.request.headers.get("content-type") ?? "");
  const form = await readForm(call).catch((error: unknown) => {
    if (error instanceof Failure && error.status === 422) throw new BadRequest("request.json-no-object");
    throw error;
  });
  if (isJson) {
    const files = form.record("files");
    const marks = Object.entries(files ?? {}).flatMap(([path, isViewed]): [string, boolean][] =>
      typeof isViewed === "boolean" ? [[path, isViewed]] : [],
    );
    if (!files || marks.length !== Object.keys(files).length) throw new BadRequest("request.json-no-object");
    await services.viewedFiles.mark(item, form.text("headCommitSHA"), new Map(marks));
    return new Response(null, { status: 200 });
  }
  const [viewed, unviewed] = [form.exact("viewed"), form.exact("unviewed")];
  const path = viewed || unviewed;
  if (path !== "") await services.viewedFiles.mark(item, form.text("head"), new Map([[path, viewed !== ""]]));
  return redirectAfterPost(services, call, `${pullHref(item)}/files`);
}

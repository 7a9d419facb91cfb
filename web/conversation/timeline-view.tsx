import { LiveStream, whenHeard } from "../components/live-part.tsx";
import { Badge } from "../components/surface.tsx";
import { Timeline } from "../components/timeline.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type CommentActions, CommentCard } from "./comment-card.tsx";
import type { CommentView, EntryView } from "./entries.ts";
import { EntryLine } from "./entry-line.tsx";
import { conversationWords } from "./words/index.ts";

/** Entries left out in the middle of a long conversation. */
export interface FoldedEntries {
  readonly count: number;
  /** Shows more of them. */
  readonly href: string;
}

export interface ConversationProps {
  /** The item's own text, which comes first. */
  readonly first: CommentView;
  readonly begin: readonly EntryView[];
  readonly folded: FoldedEntries | undefined;
  readonly end: readonly EntryView[];
  readonly offered: readonly string[];
  readonly mayReply: boolean;
  /** URLs of the actions on a text; undefined: the item's own. */
  actionsOf(view: CommentView, isFirst: boolean): CommentActions;
  /** The page's URL, and the event stream that triggers a refresh. */
  readonly live: { readonly page: string; readonly events: string };
  /** Content at the end: the comment form. */
  readonly children?: Children;
}

/**
 * The conversation, for issues and pull requests alike. It is fetched again when something happens, at most once in two
 * seconds; without JavaScript it stays as loaded.
 */
export function Conversation(props: ConversationProps) {
  const { actionsOf, begin, end, first, folded, live, mayReply, offered } = props;
  const firstNew = [...begin, ...end].find(({ isNew }) => isNew);
  const entry = (view: EntryView) => (
    <>
      {view === firstNew ? <NewSince /> : null}
      {view.kind === "event" ? (
        <EntryLine view={view} />
      ) : (
        <CommentCard view={view} actions={actionsOf(view, false)} offered={offered} mayReply={mayReply} />
      )}
    </>
  );
  return (
    <div class="conversation">
      <LiveStream events={live.events}>
        <div
          id="conversation"
          hx-get={live.page}
          hx-trigger={whenHeard(["timeline.changed"], 2)}
          hx-select="#conversation"
          hx-select-oob="#item-head:outerMorph,#item-side:outerMorph"
          hx-swap="outerMorph"
        >
          <Timeline>
            <CommentCard view={first} actions={actionsOf(first, true)} offered={offered} mayReply={mayReply} />
            {begin.map(entry)}
            {folded ? <Folded of={folded} /> : null}
            {end.map(entry)}
          </Timeline>
        </div>
      </LiveStream>
      {props.children}
    </div>
  );
}

/** Separates what happened since the reader's last visit. */
function NewSince() {
  const t = useWords(conversationWords);
  return (
    <li class="timeline-item timeline-folded" id="new">
      <Badge tone="accent">{t("newSince")}</Badge>
    </li>
  );
}

function Folded({ of }: { of: FoldedEntries }) {
  const t = useWords(conversationWords);
  return (
    <li class="timeline-item timeline-folded">
      <a class="btn" href={of.href} id="folded">
        {t("showHidden", { count: of.count })}
      </a>
    </li>
  );
}

import type { Children, JSX } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { signInHref } from "../links.ts";
import { excerptOf } from "../plain-text.ts";
import { NewComment, type TextBoxProps } from "./comment-form.tsx";
import { ItemHead, type ItemHeadProps } from "./item-head.tsx";
import { Sidebar, type SidebarProps } from "./sidebar.tsx";
import { Conversation, type ConversationProps } from "./timeline-view.tsx";
import { conversationWords } from "./words/index.ts";

/** Why there is no comment form. */
export type Silence = "visitor" | "locked" | "archived";

export interface ItemPageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly head: ItemHeadProps;
  readonly conversation: Omit<ConversationProps, "children">;
  readonly sidebar: SidebarProps;
  readonly comment:
    | {
        readonly action: string;
        readonly box: Omit<TextBoxProps, "name" | "label" | "hidesLabel">;
        readonly state: "close" | "reopen" | undefined;
      }
    | Silence;
}

/** `GET /{owner}/{repo}/issues/{number}` */
export function ItemPage(props: ItemPageProps) {
  const { head, repo, shell } = props;
  return (
    <RepoPage
      shell={shell}
      repo={repo}
      tab={head.isPull ? "pulls" : "issues"}
      title={[`${head.title} #${head.number}`]}
      preview={{ title: head.title, description: excerptOf(props.conversation.first.html) }}
    >
      <ItemHead {...head} />
      <ItemConversation {...props} />
    </RepoPage>
  );
}

/** Conversation and sidebar: shared by the pages of issues and pull requests. */
export function ItemConversation(
  props: Omit<ItemPageProps, "shell" | "repo"> & {
    /** Content between the conversation and the form. */
    after?: Children;
  },
): JSX.Element {
  const { comment, conversation, head, sidebar } = props;
  return (
    <div class="item-columns">
      <Conversation {...conversation}>
        {props.after}
        {typeof comment === "string" ? (
          <NoComment why={comment} page={conversation.live.page} />
        ) : (
          <NewComment {...comment} isPull={head.isPull} />
        )}
      </Conversation>
      <Sidebar {...sidebar} />
    </div>
  );
}

function NoComment({ page, why }: { page: string; why: Silence }) {
  const t = useWords(conversationWords);
  if (why === "visitor")
    return (
      <p class="new-comment muted">
        {t.jsx("signInToComment", { link: (inner) => <a href={signInHref(page)}>{inner}</a> })}
      </p>
    );
  return <p class="new-comment muted">{why === "locked" ? t("isLocked") : t("isArchived")}</p>;
}

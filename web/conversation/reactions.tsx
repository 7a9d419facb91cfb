import { Icon } from "../components/icon.tsx";
import { Menu } from "../components/surface.tsx";
import { useLanguage, useWords } from "../language.ts";
import { conversationWords } from "./words/index.ts";

/** How many people reacted this way, and the first of them. */
export interface ShownReaction {
  readonly content: string;
  readonly count: number;
  readonly mine: boolean;
  readonly names: readonly string[];
}

/** Emoji of the common short names; others are shown by name. */
const FACES: Readonly<Record<string, string>> = {
  "+1": "👍",
  "-1": "👎",
  laugh: "😄",
  hooray: "🎉",
  confused: "😕",
  heart: "❤️",
  rocket: "🚀",
  eyes: "👀",
};
const faceOf = (content: string) => FACES[content] ?? `:${content}:`;

/** The reactions to an item or a comment: each is a button that adds or removes it. */
export function Reactions(props: {
  reactions: readonly ShownReaction[];
  offered: readonly string[];
  /** Base URL of the forms, without the last segment; absent when the viewer may not react. */
  action: string | undefined;
}) {
  const t = useWords(conversationWords);
  const language = useLanguage();
  const { action, offered, reactions } = props;
  if (reactions.length === 0 && !action) return null;
  return (
    <div class="reactions">
      {reactions.map(({ content, count, mine, names }) => {
        const more = count - names.length;
        const people = more > 0 ? [...names, t("othersToo", { count: more })] : names;
        const title = t("reactedWith", { people: language.list(people), reaction: content });
        const face = (
          <>
            <span aria-hidden="true">{faceOf(content)}</span> {language.number(count)}
            <span class="hidden-text">{title}</span>
          </>
        );
        return action ? (
          <form method="post" action={`${action}/${mine ? "unreact" : "react"}`}>
            <button
              type="submit"
              class={mine ? "reaction reaction-mine" : "reaction"}
              name="content"
              value={content}
              title={title}
              aria-pressed={mine ? "true" : "false"}
            >
              {face}
            </button>
          </form>
        ) : (
          <span class="reaction" title={title}>
            {face}
          </span>
        );
      })}
      {action ? (
        <Menu
          name={t("react")}
          label={
            <span class="reaction reaction-add">
              <Icon name="smiley" />
            </span>
          }
        >
          <form class="reaction-choices" method="post" action={`${action}/react`}>
            {offered.map((content) => (
              <button type="submit" class="btn btn-quiet" name="content" value={content} title={content}>
                <span aria-hidden="true">{faceOf(content)}</span>
                <span class="hidden-text">{content}</span>
              </button>
            ))}
          </form>
        </Menu>
      ) : null}
    </div>
  );
}

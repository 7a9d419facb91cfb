import type { ProfileCardPart } from "../area.ts";
import { Icon } from "../components/icon.tsx";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { blocksWords } from "./words/index.ts";

/** On another user's page: whether the viewer blocks them, and a link to change that. */
export const blockLink: ProfileCardPart = {
  id: "block",
  order: 90,
  place: "foot",
  show: ({ blocks }, { principal }, user) => {
    const viewer = principal.user;
    if (!viewer || viewer.id === user.id) return null;
    return <BlockLink name={user.login} isBlocked={blocks.isBlocked(viewer, user)} />;
  },
};

function BlockLink({ name, isBlocked }: { name: string; isBlocked: boolean }) {
  const t = useWords(blocksWords);
  const page = "/user/settings/blocked_users";
  return (
    <p class="small">
      <a class="muted" href={isBlocked ? page : withQuery(page, { blockee: name })}>
        <Icon name="stop" /> {isBlocked ? t("youBlock") : t("blockThisUser", { name })}
      </a>
    </p>
  );
}

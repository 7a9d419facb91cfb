import type { User } from "../../src/access/user.ts";
import type { Call } from "../../src/http/route.ts";
import type { ProfileCardPart, WebServices } from "../area.ts";
import { LinkButton, SubmitButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { useWords } from "../language.ts";
import { signInHref, userHref, withQuery } from "../links.ts";
import { followsWords } from "./words/index.ts";

/** The button and the counts under an account's name. */
export const followCard: ProfileCardPart = {
  id: "follow",
  order: 10,
  place: "head",
  show: (services, call, user) => <FollowCard {...followProps(services, call, user)} />,
};

export interface FollowProps {
  readonly name: string;
  /** `own`: no button; `visitor`: the button goes to sign-in. */
  readonly state: "own" | "visitor" | "following" | "not-following";
  readonly followers: number;
  readonly following: number;
}

/** The card's content for the viewer. */
export function followProps({ follows, identity }: WebServices, { principal }: Call, user: User): FollowProps {
  const viewer = principal.user;
  const state = !viewer
    ? "visitor"
    : viewer.id === user.id
      ? "own"
      : follows.isFollowing(viewer, user)
        ? "following"
        : "not-following";
  const counts = identity.counts([user.id]).get(user.id);
  return { name: user.login, state, followers: counts?.followers ?? 0, following: counts?.following ?? 0 };
}

/** Also the response to its form when htmx sent it. */
export function FollowCard({ name, state, followers, following }: FollowProps) {
  const t = useWords(followsWords);
  const tab = (id: string) => withQuery(userHref(name), { tab: id });
  return (
    <div class="follow" id="follow">
      <FollowButton name={name} state={state} />
      <p class="small muted">
        <Icon name="people" /> <a href={tab("followers")}>{t("followerCount", { count: followers })}</a>
        {" · "}
        <a href={tab("following")}>{t("followingCount", { count: following })}</a>
      </p>
    </div>
  );
}

function FollowButton({ name, state }: Pick<FollowProps, "name" | "state">) {
  const t = useWords(followsWords);
  if (state === "own") return null;
  if (state === "visitor") return <LinkButton href={signInHref(userHref(name))}>{t("follow")}</LinkButton>;
  const isFollowing = state === "following";
  const action = withQuery(userHref(name), { action: isFollowing ? "unfollow" : "follow" });
  return (
    <form method="post" action={action} hx-post={action} hx-target="#follow" hx-swap="outerHTML">
      <SubmitButton>{isFollowing ? t("unfollow") : t("follow")}</SubmitButton>
    </form>
  );
}

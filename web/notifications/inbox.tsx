import type { NotificationReason, NotificationStatus } from "../../src/notifications/types.ts";
import { SubmitButton } from "../components/button.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { LivePart, LiveStream } from "../components/live-part.tsx";
import { type PageOf, Pagination, Tabs } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoList, type RepoListItem } from "../repos/repo-list.tsx";
import { notificationsWords } from "./words/index.ts";

/** The notifications about one subject. */
export interface Thread {
  readonly id: number;
  readonly owner: string;
  readonly repo: string;
  readonly number?: number;
  readonly title: string;
  readonly href: string;
  readonly kind: "issue" | "pull" | "repository";
  readonly isClosed: boolean;
  readonly reason: NotificationReason;
  readonly status: NotificationStatus;
  readonly updatedAt: Instant;
}

export interface Inbox {
  readonly showsRead: boolean;
  readonly threads: readonly Thread[];
  /** URL of this list, to return to. */
  readonly here: string;
  readonly pages: PageOf;
}

/** `GET /notifications`: the list is refreshed by events. */
export function InboxPage({ shell, inbox }: { shell: Shell; inbox: Inbox }) {
  const t = useWords(notificationsWords);
  return (
    <InboxFrame shell={shell} tab={inbox.showsRead ? "read" : "unread"} title={t("notifications")}>
      <LiveStream events="/user/events">
        <InboxList inbox={inbox} />
      </LiveStream>
    </InboxFrame>
  );
}

/** The threads by repository, each with its actions. */
export function InboxList({ inbox }: { inbox: Inbox }) {
  const t = useWords(notificationsWords);
  const groups = new Map<string, Thread[]>();
  for (const thread of inbox.threads) {
    const key = thread.status === "pinned" ? "" : `${thread.owner}/${thread.repo}`;
    groups.set(key, [...(groups.get(key) ?? []), thread]);
  }
  return (
    <LivePart id="inbox" here={inbox.here} on={["notification-count"]} seconds={1}>
      {inbox.threads.length === 0 ? (
        <EmptyState icon="bell" title={inbox.showsRead ? t("noRead") : t("noUnread")}>
          {inbox.showsRead ? null : t("noUnreadHint")}
        </EmptyState>
      ) : null}
      {inbox.threads.every(({ status }) => status !== "unread") ? null : (
        <form class="inbox-all" method="post" action="/notifications/purge">
          <SubmitButton small>{t("markAllRead")}</SubmitButton>
        </form>
      )}
      {[...groups].map(([name, threads]) => (
        <Card title={name === "" ? t("pinned") : name} flush>
          <ul class="list inbox-list">
            {threads.map((thread) => (
              <ThreadRow thread={thread} here={inbox.here} withRepo={name === ""} />
            ))}
          </ul>
        </Card>
      ))}
      <Pagination of={inbox.pages} />
    </LivePart>
  );
}

function ThreadRow({ thread, here, withRepo }: { thread: Thread; here: string; withRepo: boolean }) {
  const t = useWords(notificationsWords);
  return (
    <li class={thread.status === "unread" ? "inbox-row is-unread" : "inbox-row"} data-thread="">
      <span class={thread.kind === "repository" ? undefined : thread.isClosed ? "item-closed" : "item-open"}>
        <Icon name={iconOf(thread)} />
      </span>
      <div class="grow">
        <a class="inbox-title" href={thread.href}>
          <ItemTitle text={thread.title} />
        </a>
        <p class="muted">
          {withRepo ? (
            <>
              <a href={repoHref({ owner: thread.owner, name: thread.repo })}>
                {thread.owner}/{thread.repo}
              </a>{" "}
            </>
          ) : null}
          {thread.number === undefined ? null : `#${thread.number} · `}
          {t(`reason-${thread.reason}`)} · <Time at={thread.updatedAt} />
        </p>
      </div>
      <form
        class="inbox-actions"
        method="post"
        action="/notifications/status"
        hx-post={`/notifications/status${here.slice("/notifications".length)}`}
        hx-target="#inbox"
        hx-swap="outerMorph"
      >
        <input type="hidden" name="notification_id" value={String(thread.id)} />
        <input type="hidden" name="redirect_to" value={here} />
        {thread.status === "pinned" ? null : <Action action="pin" icon="pin" label={t("pin")} />}
        {thread.status === "unread" ? (
          <Action action="mark_as_read" icon="check" label={t("markRead")} hotkey="e" />
        ) : (
          <Action action="mark_as_unread" icon="bell" label={t("markUnread")} />
        )}
        {thread.status === "pinned" ? <Action action="mark_as_read" icon="check" label={t("markRead")} /> : null}
      </form>
    </li>
  );
}

function Action(props: { action: string; icon: IconName; label: string; hotkey?: string }) {
  return (
    <button
      type="submit"
      class={`btn btn-icon btn-quiet btn-small i-${props.icon}`}
      name="notification_action"
      value={props.action}
      aria-label={props.label}
      title={props.label}
      data-hotkey={props.hotkey}
    />
  );
}

function iconOf({ isClosed, kind }: Thread): IconName {
  if (kind === "repository") return "repo-push";
  if (kind === "pull") return isClosed ? "git-pull-request-closed" : "git-pull-request";
  return isClosed ? "issue-closed" : "issue-opened";
}

/** `GET /notifications/watching`. */
export function WatchingPage(props: { shell: Shell; repos: readonly RepoListItem[]; pages: PageOf }) {
  const t = useWords(notificationsWords);
  return (
    <InboxFrame shell={props.shell} tab="watching" title={t("watching")}>
      <Card flush>
        <RepoList
          repos={props.repos}
          empty={
            <EmptyState icon="eye" title={t("watchesNothing")}>
              {t("watchesNothingHint")}
            </EmptyState>
          }
        />
      </Card>
      <Pagination of={props.pages} />
    </InboxFrame>
  );
}

/** The tabs of inbox and subscriptions; the unread count comes from the header. */
export function InboxFrame(props: {
  shell: Shell;
  tab: "unread" | "read" | "watching" | "subscriptions";
  title: string;
  children: Children;
}) {
  const t = useWords(notificationsWords);
  const tab = (id: string, label: string, href: string, icon: IconName, count?: number) => ({
    label,
    href,
    icon,
    count,
    current: props.tab === id,
  });
  return (
    <PageFrame shell={props.shell} title={[props.title]} noIndex>
      <h1>{t("notifications")}</h1>
      <Tabs
        label={t("notifications")}
        tabs={[
          tab("unread", t("unread"), "/notifications", "bell", props.shell.headerCounts.get("notifications")),
          tab("read", t("read"), "/notifications?type=read", "check"),
          tab("subscriptions", t("subscriptions"), "/notifications/subscriptions", "issue-opened"),
          tab("watching", t("watching"), "/notifications/watching", "eye"),
        ]}
      />
      {props.children}
    </PageFrame>
  );
}

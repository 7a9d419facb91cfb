export const notificationStatuses = ["unread", "read", "pinned"] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

export const notificationSubjects = ["issue", "pull", "commit", "repository"] as const;
/** What a thread is about; there are none about commits. */
export type NotificationSubject = (typeof notificationSubjects)[number];

/** Why someone is told of something, the strongest last. */
export const notificationReasons = [
  "watching",
  "participating",
  "author",
  "offered",
  "assigned",
  "review-requested",
  "mentioned",
] as const;
export type NotificationReason = (typeof notificationReasons)[number];

/** What someone is told of one subject. */
export interface Notification {
  readonly id: number;
  readonly userId: number;
  readonly repoId: number;
  /** Undefined: it is about the repository itself. */
  readonly issueId: number | undefined;
  readonly subject: NotificationSubject;
  readonly status: NotificationStatus;
  /** Of what happened last. */
  readonly reason: NotificationReason;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Which threads are meant. */
export interface NotificationFilter {
  /** Empty: any. */
  readonly statuses: readonly NotificationStatus[];
  /** Empty: any. */
  readonly subjects: readonly NotificationSubject[];
  readonly repoId?: number | undefined;
  /** Changed at this time (milliseconds since 1970) or later, or earlier. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

/** Someone who is told of something, and why. */
export interface Receiver {
  readonly userId: number;
  readonly reason: NotificationReason;
}

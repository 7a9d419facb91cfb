/** A tag with notes and files, or a draft of one. */
export interface Release {
  readonly id: number;
  readonly repoId: number;
  readonly tag: string;
  /** Branch or commit the tag is created from, as given; empty: none was given. */
  readonly target: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** Visible only with write access; its tag may not exist. */
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  /** Undefined if the account was deleted. */
  readonly authorId: number | undefined;
  /** When it was published, or its tag created if that was earlier; for a draft, when it was created. */
  readonly createdAt: number;
}

/** The input for a new release. */
export interface NewRelease {
  readonly tag: string;
  /** If not empty, the tag is annotated with this message. */
  readonly tagMessage?: string | undefined;
  /** Where to create the tag; absent: the default branch. */
  readonly target?: string | undefined;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
}

/** A requested change; absent fields are left unchanged. */
export interface ReleaseEdit {
  readonly tag?: string | undefined;
  readonly tagMessage?: string | undefined;
  readonly target?: string | undefined;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly isDraft?: boolean | undefined;
  readonly isPrerelease?: boolean | undefined;
}

/** Criteria for a list of releases; absent criteria match everything. */
export interface ReleaseFilter {
  readonly isDraft?: boolean | undefined;
  readonly isPrerelease?: boolean | undefined;
  /** Part of the title or tag, case-insensitive; empty: any. */
  readonly words?: string | undefined;
}

/** A file of a release. */
export interface ReleaseAsset {
  readonly id: number;
  /** Identifies its address and its bytes. */
  readonly uuid: string;
  readonly releaseId: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly downloads: number;
  readonly createdAt: number;
}

/** A release from another forge. */
export interface ImportedRelease
  extends Pick<Release, "tag" | "target" | "title" | "body" | "isDraft" | "isPrerelease"> {
  /** Milliseconds since 1970; undefined: the tag's time. */
  readonly createdAt: number | undefined;
}

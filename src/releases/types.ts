/** A tag with notes and files, or a draft of one. */
export interface Release {
  readonly id: number;
  readonly repoId: number;
  readonly tag: string;
  /** Branch or commit that the tag is or was made from, as it was given; empty: nothing was said. */
  readonly target: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** Only writers see it, and its tag may not be there. */
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  /** Undefined when the account is gone. */
  readonly authorId: number | undefined;
  /** When it was published, or its tag made, if that was before; of a draft, when it was made. */
  readonly createdAt: number;
}

/** What someone says of a new release. */
export interface NewRelease {
  readonly tag: string;
  /** Not empty: the tag is an annotated one, with this message. */
  readonly tagMessage?: string | undefined;
  /** Of a tag that is to be made; absent: the default branch. */
  readonly target?: string | undefined;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
}

/** What someone changes; absent: as it is. */
export interface ReleaseEdit {
  readonly tag?: string | undefined;
  readonly tagMessage?: string | undefined;
  readonly target?: string | undefined;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly isDraft?: boolean | undefined;
  readonly isPrerelease?: boolean | undefined;
}

/** What a list of releases shows; absent: both. */
export interface ReleaseFilter {
  readonly isDraft?: boolean | undefined;
  readonly isPrerelease?: boolean | undefined;
  /** Part of the title or tag, whatever its case; empty: any. */
  readonly words?: string | undefined;
}

/** A file of a release. */
export interface ReleaseAsset {
  readonly id: number;
  /** Names its address and its bytes. */
  readonly uuid: string;
  readonly releaseId: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly downloads: number;
  readonly createdAt: number;
}

/** One of another forge. */
export interface ImportedRelease
  extends Pick<Release, "tag" | "target" | "title" | "body" | "isDraft" | "isPrerelease"> {
  /** Milliseconds since 1970; undefined: as its tag. */
  readonly createdAt: number | undefined;
}

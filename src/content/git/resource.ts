import { Type } from "@sinclair/typebox";
import { text, textOrNull, whole, yesNo } from "../../http/fields.ts";
import { VerificationResource } from "../../keys/verification/resource.ts";
import { CommitResource, SignatureResource } from "../commits/resource.ts";

export const BlobResource = Type.Object(
  {
    content: textOrNull("The content in base64; null when it is large."),
    encoding: textOrNull("base64 if there is content."),
    url: text("API address."),
    sha: text("Id of the object."),
    size: whole("Bytes."),
    lfs_oid: Type.Optional(text("SHA-256 of the content an LFS pointer stands for.")),
    lfs_size: Type.Optional(whole("Bytes of the content an LFS pointer stands for.")),
  },
  { $id: "GitBlobResponse", description: "The content of a file." },
);

export const TreeResource = Type.Object(
  {
    sha: text("Id from the request: a commit, tag or tree."),
    url: text("API address."),
    tree: Type.Array(
      Type.Object({
        path: text("Path, relative to the requested tree."),
        mode: text("File mode, six octal digits."),
        type: text("blob, tree or commit (a submodule)."),
        size: whole("Bytes; 0 for directories and submodules."),
        sha: text("Id of the object."),
        url: text("API address of the object; empty for submodules."),
      }),
      { description: "The entries on this page." },
    ),
    truncated: yesNo("Whether there are more entries."),
    page: whole("Number of the page."),
    total_count: whole("Entries on all pages."),
  },
  { $id: "GitTreeResponse", description: "A directory of a commit." },
);

export const ReferenceResource = Type.Object(
  {
    ref: text("Full name, such as refs/heads/main."),
    url: text("API address."),
    object: Type.Object(
      {
        type: text("commit, tag, tree or blob."),
        sha: text("Id of the object."),
        url: text("API address of the object."),
      },
      { description: "What it points to." },
    ),
  },
  { $id: "Reference", description: "A branch, tag or other ref." },
);

export const AnnotatedTagResource = Type.Object(
  {
    tag: text("Name of the tag."),
    sha: text("Id of the tag object."),
    url: text("API address."),
    message: text("Message of the tag."),
    tagger: SignatureResource,
    object: Type.Object(
      {
        type: text("Kind of the object: commit."),
        url: text("API address of the object."),
        sha: text("Id of the object."),
      },
      { description: "The tagged object." },
    ),
    verification: VerificationResource,
  },
  { $id: "AnnotatedTag", description: "An annotated tag." },
);

export const NoteResource = Type.Object(
  { message: text("The note."), commit: CommitResource },
  { $id: "Note", description: "A note on a commit, and the commit that wrote the note." },
);

import { Type } from "@sinclair/typebox";
import { checked } from "../../http/body.ts";
import { asks, type Parameter, queryDocs, readQuery, textParam, type ValuesOf } from "../../http/query.ts";
import { json, jsonList, jsonSlices, listSlices } from "../../http/respond.ts";
import { type Call, type Route, takes } from "../../http/route.ts";
import { BadRequest, Failure, NotFound } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { readCode } from "../access.ts";
import { readPath } from "../values.ts";
import { type DescribedDirectory, describeDirectory, describeEntry, everything, type Includes } from "./answers.ts";
import { ContentsExtResource, type ContentsResource, ContentsResource as ContentsSchema } from "./resource.ts";

const repoPath = "/api/v1/repos/:owner/:repo";
const params = { path: "Path from the root." };

export const refParam = textParam("A branch, tag or commit id; the default branch by default.");

/** The details to include besides names and ids. @throws BadRequest for an unknown word */
const includesParam: Parameter<Includes> = {
  description: "Details to include: file_content, lfs_metadata, commit_metadata, commit_message; separated by commas.",
  schema: Type.String(),
  read: includesOf,
};

const ofOne = { ref: refParam };
const extending = { ref: refParam, includes: includesParam };

const FilesBody = Type.Object(
  {
    files: Type.Array(Type.String(), {
      description: "Paths of the files, in the order of the answer.",
      field: "Files",
    }),
  },
  { $id: "GetFilesOptions", description: "Which files to read." },
);

/** The same as the body, for clients that can only GET. @throws BadRequest */
const filesParam: Parameter<readonly string[]> = {
  description: "JSON with a member files, a list of paths.",
  schema: Type.String(),
  read: filesOfQuery,
};

const INCLUDES = ["file_content", "lfs_metadata", "commit_metadata", "commit_message"];
const MAX_FILES = 30;
const nothing: DescribedDirectory = {
  entries: [],
  show: () => {
    throw new Error("there is nothing to show");
  },
};
const MAX_BASE64_BYTES = 100 * 1024 * 1024;

/** Files and directories (contract git-content.md 3). */
export function fileRoutes(services: Services): Route[] {
  const { files, revisions } = services;

  /** An object for a file, a list of entries for a directory. */
  const contents = async (call: Call, path: string, ref: string, includes: Includes) => {
    const seen = seenRepo(call);
    const clean = readPath(path);
    if (seen.repo.isEmpty && ref === "" && clean === "") return { list: nothing };
    const at = revisions.strict(seen, ref);
    const entry = files.entry(seen, at.commit, clean);
    const shownRef = ref || seen.repo.defaultBranch;
    return entry.kind === "dir"
      ? { list: await describeDirectory(services, seen, at, entry, shownRef, includes) }
      : { file: await describeEntry(services, seen, at, entry, shownRef, includes) };
  };
  const plain = async (call: Call, path: string, ref: string) => {
    const { file, list } = await contents(call, path, ref, everything);
    return list ? jsonList(list.entries, list.show) : json(file);
  };
  const extended = async (call: Call, path: string, { ref, includes }: ValuesOf<typeof extending>) => {
    const { file, list } = await contents(call, path, ref, includes);
    if (!list) return json({ file_contents: file });
    function* answer({ entries, show }: DescribedDirectory) {
      yield '{"dir_contents":';
      yield* listSlices(entries, show);
      yield "}";
    }
    return jsonSlices(answer(list));
  };
  const several = async (call: Call, ref: string, paths: readonly string[]) => {
    const seen = seenRepo(call);
    const at = revisions.strict(seen, ref);
    const found: (ContentsResource | null)[] = [];
    let base64Bytes = 0;
    for (const path of paths.slice(0, MAX_FILES)) {
      if (base64Bytes > MAX_BASE64_BYTES) break;
      const shown = await one(services, seen, at, path, ref || seen.repo.defaultBranch);
      base64Bytes += shown?.content?.length ?? 0;
      found.push(shown);
    }
    return json(found);
  };

  const contentsDoc = {
    tag: "repository",
    answers: {
      200: {
        description: "The file, or the list of a directory's entries.",
        schema: Type.Union([ContentsSchema, Type.Array(ContentsSchema)]),
      },
      400: { description: "The path is malformed." },
      404: { description: "There is no such ref or path." },
    },
  };
  const extDoc = {
    tag: "repository",
    answers: {
      200: { description: "The file or the directory's entries.", schema: ContentsExtResource },
      400: { description: "The path is malformed, or an include is unknown." },
      404: { description: "There is no such ref or path." },
    },
  };
  const severalAnswers = {
    200: {
      description: "The files in the requested order; null for those that do not exist.",
      schema: Type.Array(Type.Union([ContentsSchema, Type.Null()])),
    },
    400: { description: "The body is malformed." },
    404: { description: "There is no such ref." },
  };

  return [
    {
      method: "GET",
      path: `${repoPath}/contents`,
      surface: "api",
      access: readCode,
      doc: { id: "repoGetContentsList", summary: "List the root directory", ...contentsDoc },
      ...asks(ofOne, (call, { ref }) => plain(call, "", ref)),
    },
    {
      method: "GET",
      path: `${repoPath}/contents/*`,
      surface: "api",
      access: readCode,
      doc: { id: "repoGetContents", summary: "Get a file, or the entries of a directory", params, ...contentsDoc },
      ...asks(ofOne, (call, { ref }) => plain(call, call.params["*"] ?? "", ref)),
    },
    {
      method: "GET",
      path: `${repoPath}/contents-ext`,
      surface: "api",
      access: readCode,
      doc: { id: "repoGetContentsExtRoot", summary: "Get the root directory with selected details", ...extDoc },
      ...asks(extending, (call, asked) => extended(call, "", asked)),
    },
    {
      method: "GET",
      path: `${repoPath}/contents-ext/*`,
      surface: "api",
      access: readCode,
      doc: { id: "repoGetContentsExt", summary: "Get a file or directory with selected details", params, ...extDoc },
      ...asks(extending, (call, asked) => extended(call, call.params["*"] ?? "", asked)),
    },
    {
      method: "GET",
      path: `${repoPath}/file-contents`,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoGetFileContents",
        tag: "repository",
        summary: "Get several files at once",
        answers: severalAnswers,
      },
      ...asks({ ref: refParam, body: filesParam }, (call, { ref, body }) => several(call, ref, body)),
    },
    {
      method: "POST",
      path: `${repoPath}/file-contents`,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoGetFileContentsPost",
        tag: "repository",
        summary: "Get several files at once",
        answers: severalAnswers,
      },
      query: queryDocs(ofOne),
      ...takes(FilesBody, (call, { files: paths }) => several(call, readQuery(ofOne, call).ref, paths)),
    },
  ];
}

async function one(
  services: Services,
  seen: SeenRepo,
  at: ReturnType<Services["revisions"]["strict"]>,
  path: string,
  ref: string,
): Promise<ContentsResource | null> {
  try {
    const entry = services.files.entry(seen, at.commit, readPath(path));
    return entry.path === "" ? null : await describeEntry(services, seen, at, entry, ref, everything);
  } catch (error) {
    if (error instanceof NotFound || error instanceof BadRequest) return null;
    throw error;
  }
}

function includesOf(list: string): Includes {
  const wanted = list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const unknown = wanted.find((word) => !INCLUDES.includes(word));
  if (unknown !== undefined) throw new BadRequest("file.unknown-include", { params: { option: unknown } });
  return {
    content: wanted.includes("file_content"),
    lfs: wanted.includes("lfs_metadata"),
    commits: wanted.includes("commit_metadata"),
    messages: wanted.includes("commit_message"),
  };
}

function filesOfQuery(body: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== "object" || value === null) throw new BadRequest("file.bad-body-parameter");
    return checked(FilesBody, { fields: Object.fromEntries(Object.entries(value)), fromForm: false }).files;
  } catch (error) {
    if (error instanceof Failure || error instanceof SyntaxError) throw new BadRequest("file.bad-body-parameter");
    throw error;
  }
}

import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { checked } from "../../src/http/body.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { EditRepoBody } from "../../src/repos/bodies.ts";

const FilesBody = Type.Object({
  files: Type.Array(Type.Object({ path: Type.String({ maxLength: 3 }), sha: Type.Optional(Type.String()) }), {
    maxItems: 2,
  }),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 3 }))),
  author: Type.Optional(Type.Object({ mail_address: Type.String({ maxLength: 3, field: "Email" }) })),
});

test.each([
  [EditRepoBody, { external_tracker: { external_tracker_url: 5 } }, "external_tracker.external_tracker_url", "a text"],
  [EditRepoBody, { external_tracker: "x" }, "external_tracker", "an object"],
  [EditRepoBody, { private: "x" }, "private", "true or false"],
  [FilesBody, { files: [{ path: "a" }, { path: 1 }] }, "files.1.path", "a text"],
  [FilesBody, { files: [null] }, "files.0", "an object"],
])("an error in a body names the place that is wrong, however deep: case %#", (schema, fields, field, type) => {
  let refused: unknown;
  try {
    checked(schema, { fields, fromForm: false });
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(Failure);
  expect(refused).toMatchObject({ code: "value.wrong-type", field, params: { name: field, type } });
});

test.each([
  [{ files: [{ path: "a" }, {}] }, "value.required", "files.1.path", "Path"],
  [{ files: [{ path: null }] }, "value.required", "files.0.path", "Path"],
  [{ files: [{ path: "long" }] }, "value.too-long", "files.0.path", "Path"],
  [{ files: [{ path: "a" }, { path: "b" }, { path: "c" }] }, "value.too-long", "files", "Files"],
  [{ files: [], tags: ["a", "long"] }, "value.too-long", "tags.1", "Tags"],
  [{ files: [], author: { mail_address: "long" } }, "value.too-long", "author.mail_address", "Email"],
  [{ files: [], author: {} }, "value.required", "author.mail_address", "Email"],
])("what a nested value lacks or has too much of is said as of any other: case %#", (fields, code, field, name) => {
  let refused: unknown;
  try {
    checked(FilesBody, { fields, fromForm: false });
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({ code, field, params: { name } });
});

test("a nested member that is null is absent, as one of the body itself", () => {
  const read = checked(FilesBody, { fields: { files: [{ PATH: "a", sha: null }], tags: null }, fromForm: false });
  expect(read.files.map((file) => ({ ...file }))).toEqual([{ path: "a" }]);
  expect(Object.keys(read)).toEqual(["files"]);
});

test("members of a body are known in any letter case, their own spelling first", () => {
  const Body = Type.Object({
    Text: Type.Optional(Type.String()),
    author: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
    files: Type.Optional(Type.Array(Type.Object({ path: Type.String() }))),
    labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  });
  const read = (json: string) =>
    JSON.parse(JSON.stringify(checked(Body, { fields: JSON.parse(json) as Record<string, unknown>, fromForm: false })));
  expect(read('{"TEXT":"a","Author":{"NAME":"n"},"Files":[{"Path":"p"}],"LABELS":{"Key":"v"}}')).toEqual({
    Text: "a",
    author: { name: "n" },
    files: [{ path: "p" }],
    labels: { Key: "v" },
  });
  expect(read('{"text":"other","Text":"own","tExT":"third"}')).toEqual({ Text: "own" });
  expect(read('{"__proto__":{"Text":"x"},"constructor":"y"}')).toEqual({});
});

import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { checked } from "../../src/http/body.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { EditRepoBody } from "../../src/repos/bodies.ts";

const FilesBody = Type.Object({ files: Type.Array(Type.Object({ path: Type.String() })) });

test.each([
  [EditRepoBody, { external_tracker: { external_tracker_url: 5 } }, "external_tracker.external_tracker_url", "a text"],
  [EditRepoBody, { external_tracker: "x" }, "external_tracker", "an object"],
  [EditRepoBody, { private: "x" }, "private", "true or false"],
  [FilesBody, { files: [{ path: "a" }, { path: 1 }] }, "files.1.path", "a text"],
  [FilesBody, { files: [{ path: "a" }, {}] }, "files.1.path", "a text"],
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

import { describe, expect, test } from "bun:test";
import { readFields } from "../../src/http/body.ts";
import { BodyMemory } from "../../src/http/body-memory.ts";
import { parseJson } from "../../src/http/json.ts";
import { type FilePart, type MultipartLimits, readMultipart } from "../../src/http/multipart.ts";
import { Failure } from "../../src/kernel/errors.ts";

const TYPE = "multipart/form-data; boundary=XX";
const limits: MultipartLimits = { maxFiles: 2, maxFileBytes: 1000, maxFieldBytes: 500 };

const part = (disposition: string, content: string, headers = "") =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n${content}\r\n`;
const field = (name: string, value: string) => part(`name="${name}"`, value);
const file = (name: string, filename: string, content: string) =>
  part(`name="${name}"; filename="${filename}"`, content, "Content-Type: application/octet-stream\r\n");
const END = "--XX--\r\n";

/** A body in small pieces, as a network would bring it. */
const stream = (text: string, piece = 7): ReadableStream<Uint8Array> => {
  const bytes = Buffer.from(text, "latin1");
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(new Uint8Array(bytes.subarray(at, at + piece)));
      at += piece;
    },
  });
};

class Received implements Disposable {
  isDisposed = false;
  constructor(readonly text: string) {}
  [Symbol.dispose]() {
    this.isDisposed = true;
  }
}

function receiver() {
  const received: Received[] = [];
  const failures: unknown[] = [];
  const receive = async ({ bytes }: FilePart) => {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of bytes) chunks.push(Uint8Array.from(chunk));
    } catch (error) {
      failures.push(error);
      throw error;
    }
    const one = new Received(Buffer.concat(chunks).toString("latin1"));
    received.push(one);
    return one;
  };
  return { received, failures, receive };
}

const read = (text: string, receive = receiver().receive, type = TYPE) =>
  readMultipart(stream(text), type, limits, receive);

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Failure ? error.code : String(error);
}

test("fields and files, in order, byte for byte, however they are cut", async () => {
  const binary = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join("");
  const { receive } = receiver();
  const umlaut = Buffer.from("ü\r\n").toString("latin1");
  using form = await read(
    `${field("a", "1")}${file("avatar", "C:\\pictures\\me.png", binary)}${field("a", "2")}${field("b", umlaut)}${END}`,
    receive,
    'multipart/form-data; charset=utf-8; boundary="XX"',
  );
  expect(form.fields).toEqual([
    ["a", "1"],
    ["a", "2"],
    ["b", "ü\r\n"],
  ]);
  expect(form.files.map(({ field, name, file }) => [field, name, file.text])).toEqual([["avatar", "me.png", binary]]);
});

test("a file input that was left empty is no file; an empty file is one", async () => {
  using form = await read(`${file("avatar", "", "")}${file("other", "empty.txt", "")}${END}`);
  expect(form.files.map(({ field, name }) => [field, name])).toEqual([["other", "empty.txt"]]);
});

test("a form without parts", async () => {
  using form = await read(END);
  expect([form.fields, form.files]).toEqual([[], []]);
});

describe("what is refused leaves nothing", () => {
  test.each([
    ["a file too large", `${file("a", "a", "x".repeat(1001))}${END}`, "form.too-large"],
    ["a field too large", `${field("a", "x".repeat(501))}${END}`, "form.too-large"],
    [
      "fields too large together",
      `${field("a", "x".repeat(300))}${field("b", "x".repeat(300))}${END}`,
      "form.too-large",
    ],
    ["too many files", `${[1, 2, 3].map((n) => file("a", `${n}`, "x")).join("")}${END}`, "form.too-many-files"],
    ["a thousand parts and more", `${field("a", "").repeat(1001)}${END}`, "form.too-many-parts"],
    ["a value that is not UTF-8", `${field("a", "\xff")}${END}`, "request.body-not-utf8"],
    ["no end", field("a", "1"), "form.unreadable"],
    ["a file that breaks off", file("a", "a.txt", "x".repeat(100)).slice(0, -50), "form.unreadable"],
    ["no form at all", "hello", "form.unreadable"],
    ["nothing", "", "form.unreadable"],
  ])("%s", async (_, body, code) => {
    const { received, receive } = receiver();
    expect(await codeOf(read(`${file("first", "first.txt", "whole")}${body}`, receive))).toBe(code);
    // The one before was received, and let go again.
    expect(received.filter((one) => !one.isDisposed)).toEqual([]);
  });

  test("a boundary that is missing", async () => {
    expect(await codeOf(read(END, receiver().receive, "multipart/form-data"))).toBe("form.unreadable");
  });

  test("a sender that goes away: who receives the file hears of it", async () => {
    const { received, failures, receive } = receiver();
    const text = `${file("first", "first.txt", "whole")}${file("a", "a.txt", "x".repeat(100))}`;
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) controller.error(new Error("the connection was reset"));
        else controller.enqueue(Buffer.from(text.slice(0, -60), "latin1"));
        sent = true;
      },
    });
    expect(await codeOf(readMultipart(body, TYPE, limits, receive))).toBe("form.unreadable");
    expect(received.map(({ text, isDisposed }) => [text, isDisposed])).toEqual([["whole", true]]);
    expect(failures).toHaveLength(1);
  });

  test("a receiver that fails: its own error, and the body is let go", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(file("a", "a.txt", "x".repeat(100)), "latin1")),
      cancel: () => {
        cancelled = true;
      },
    });
    const refuse = () => Promise.reject(new Failure(422, "avatar.not-an-image"));
    expect(await codeOf(readMultipart(body, TYPE, limits, refuse))).toBe("avatar.not-an-image");
    expect(cancelled).toBe(true);
  });
});

test("a large file goes by at the receiver's pace", async () => {
  const total = 32 * 1024 * 1024;
  let [pulled, taken, furthestAhead] = [0, 0, 0];
  const chunk = new Uint8Array(64 * 1024).fill(120);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(Buffer.from(file("a", "a.bin", "").slice(0, -2), "latin1") as Uint8Array<ArrayBuffer>),
    pull(controller) {
      if (pulled >= total) {
        controller.enqueue(Buffer.from(`\r\n${END}`) as Uint8Array<ArrayBuffer>);
        controller.close();
        return;
      }
      pulled += chunk.length;
      furthestAhead = Math.max(furthestAhead, pulled - taken);
      controller.enqueue(chunk);
    },
  });
  const form = await readMultipart(body, TYPE, { ...limits, maxFileBytes: total }, async ({ bytes }) => {
    for await (const one of bytes) taken += one.length;
    return new Received("");
  });
  expect(form.files).toHaveLength(1);
  expect(taken).toBe(total);
  expect(furthestAhead).toBeLessThan(1024 * 1024);
});

test("where only fields are asked for, files are read past", async () => {
  const memory = new BodyMemory({ maxBytes: 2 ** 20, seconds: 30, parseLarge: async (json) => parseJson(json) });
  const request = (text: string) => {
    const init = { method: "POST", headers: { "content-type": TYPE }, body: Buffer.from(text, "latin1") };
    return { request: new Request("http://x/", init), bodyShare: memory.open("192.0.2.1") };
  };
  const text = `${field("name", "Ada")}${file("avatar", "me.png", "bytes")}${field("constructor", "x")}${END}`;
  const { fields, fromForm } = await readFields(request(text), 10_000);
  expect([fields["name"], fields["avatar"], fields["constructor"], fromForm]).toEqual(["Ada", undefined, "x", true]);
  expect(await codeOf(readFields(request(text), 100))).toBe("request.body-too-large");
});

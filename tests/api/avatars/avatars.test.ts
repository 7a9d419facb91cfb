import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount, operator } from "../../../src/access/principal.ts";
import { squarePng } from "../../../src/avatars/square.ts";
import { identiconPng } from "../../../web/site/identicon-png.ts";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** A picture of that many pixels. */
const aPicture = async (width: number, height: number, format: "png" | "jpeg" | "webp" = "png") =>
  Buffer.from(
    await new Bun.Image(Buffer.from(PIXEL, "base64")).resize(width, height, { fit: "fill" })[format]().bytes(),
  );
const anUpload = async () => (await aPicture(40, 40, "jpeg")).toString("base64");
const post = (path: string, token: string | undefined, image: unknown) =>
  call(server, "POST", `/api/v1${path}`, { token, body: image === undefined ? {} : { image } });
const set = async (who: TestUser, bytes?: Buffer) =>
  post("/user/avatar", who.token, (bytes ?? (await aPicture(40, 40, "jpeg"))).toString("base64"));
const urlOf = async (login: string, token?: string) =>
  String((await call(server, "GET", `/api/v1/users/${login}`, { token })).body["avatar_url"]);

/** What stands at an absolute address of the site. */
async function picture(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  const bytes = await answer.bytes();
  const shape = bytes.length > 0 && answer.ok ? await new Bun.Image(bytes).metadata() : undefined;
  return { status: answer.status, headers: answer.headers, bytes, shape };
}

test("an upload takes the place of the drawn picture, in a new address each time, until it is removed", async () => {
  const ada = await aUser(server);
  const drawn = await urlOf(ada.login);
  expect(drawn).toBe(`${server.url}avatars/${ada.login}`);
  expect((await set(ada)).status).toBe(204);
  const first = await urlOf(ada.login);
  expect(first).toMatch(/\/avatars\/[0-9a-f]{32}$/);
  const { status, headers, shape } = await picture(first);
  expect([status, headers.get("content-type"), headers.get("cache-control"), shape?.format]).toEqual([
    200,
    "image/webp",
    "public, max-age=21600",
    "webp",
  ]);
  expect((await set(ada)).status).toBe(204);
  const second = await urlOf(ada.login);
  expect(second).not.toBe(first);
  // The old address shows what any unknown one shows: a drawn picture.
  expect((await picture(first)).headers.get("content-type")).toBe("image/png");
  for (const _ of [1, 2])
    expect((await call(server, "DELETE", "/api/v1/user/avatar", { token: ada.token })).status).toBe(204);
  expect(await urlOf(ada.login)).toBe(drawn);
  expect((await picture(second)).headers.get("content-type")).toBe("image/png");
});

test("the picture is a square of the middle, in two sizes, and asked for again only when it changed", async () => {
  const ada = await aUser(server);
  await set(ada, await aPicture(1200, 800, "jpeg"));
  const url = await urlOf(ada.login);
  const sizes = await Promise.all(
    ["", "?size=40", "?size=128", "?size=129", "?size=9999", "?size=-1", "?size=x"].map(async (query) => {
      const { shape } = await picture(url + query);
      return [query, shape?.width, shape?.height];
    }),
  );
  expect(sizes).toEqual([
    ["", 512, 512],
    ["?size=40", 128, 128],
    ["?size=128", 128, 128],
    ["?size=129", 512, 512],
    ["?size=9999", 512, 512],
    ["?size=-1", 512, 512],
    ["?size=x", 512, 512],
  ]);
  const { headers } = await picture(url);
  expect((await picture(url, { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
  const part = await fetch(url, { headers: { range: "bytes=0-3" } });
  expect([part.status, await part.text()]).toEqual([206, "RIFF"]);
  const head = await fetch(url, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "image/webp"]);
});

test("a PNG is cut to its middle square, whatever its filters", async () => {
  // Three columns of colours: only the middle one is left.
  const colours = identiconPng("ada");
  const wide = await new Bun.Image(colours).resize(90, 30, { fit: "fill" }).png().bytes();
  const cut = squarePng(wide);
  const whole = squarePng(await new Bun.Image(colours).resize(30, 90, { fit: "fill" }).png().bytes());
  for (const png of [cut, whole])
    expect(await new Bun.Image(png).metadata()).toEqual({ width: 30, height: 30, format: "png" });
  expect(squarePng(cut)).toEqual(cut);
});

test("a small square PNG with nothing in it but its picture stays as it is; any other is rewritten", async () => {
  const ada = await aUser(server);
  const plain = await aPicture(200, 200);
  await set(ada, plain);
  const served = await picture(await urlOf(ada.login));
  expect([served.headers.get("content-type"), Buffer.from(served.bytes).equals(plain)]).toEqual(["image/png", true]);
  expect((await picture(`${await urlOf(ada.login)}?size=40`)).shape).toMatchObject({ width: 128, format: "webp" });
  const text = Buffer.from("\0\0\0\x04tEXthome\0\0\0\0", "latin1");
  text.writeUInt32BE(Bun.hash.crc32(text.subarray(4, 12)), 12);
  for (const other of [
    Buffer.concat([plain.subarray(0, 33), text, plain.subarray(33)]),
    Buffer.concat([plain, Buffer.from("more behind its end")]),
    await aPicture(200, 199),
    await aPicture(513, 513),
  ]) {
    await set(ada, other);
    expect((await picture(await urlOf(ada.login))).headers.get("content-type")).toBe("image/webp");
  }
});

test("nothing of the upload but its pixels is kept", async () => {
  const ada = await aUser(server);
  const jpeg = await aPicture(64, 64, "jpeg");
  const secret = Buffer.from("Exif\0\0 taken at home");
  const marker = Buffer.concat([Buffer.from([0xff, 0xe1, 0, secret.length + 2]), secret]);
  const withExif = Buffer.concat([jpeg.subarray(0, 2), marker, jpeg.subarray(2), Buffer.from("<script>")]);
  expect((await set(ada, withExif)).status).toBe(204);
  const kept = Buffer.from((await picture(await urlOf(ada.login))).bytes).toString("latin1");
  expect(kept).not.toContain("taken at home");
  expect(kept).not.toContain("<script>");
});

describe("what is no picture is refused, and nothing is changed", () => {
  const svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
  test.each([
    ["not base64", "!!", 400, "illegal base64 data at input byte 0"],
    ["a data URL", `data:image/png;base64,${PIXEL}`, 400, "illegal base64 data at input byte 4"],
    ["nothing", undefined, 422, "[Image]: Required"],
    ["an empty text", "", 422, "[Image]: Required"],
    ["null", null, 422, "[Image]: Required"],
    ["a number", 5, 422, "image must be a text"],
    ["a list", [PIXEL], 422, "image must be a text"],
    ["a text", btoa("hello"), 422, "[Image]: not a PNG"],
    ["SVG", btoa(svg), 422, "[Image]: not a PNG"],
    ["the head of a PNG", PIXEL.slice(0, 24), 422, "[Image]: not a PNG"],
    ["a bitmap", btoa(`BM${"\0".repeat(60)}`), 422, "[Image]: not a PNG"],
  ] as const)("%s", async (_, image, status, message) => {
    const ada = await aUser(server);
    await set(ada);
    const before = await urlOf(ada.login);
    const answer = await post("/user/avatar", ada.token, image);
    expect([answer.status, String(answer.body["message"])]).toEqual([status, expect.stringContaining(message)]);
    expect(await urlOf(ada.login)).toBe(before);
  });

  test("more pixels than are decoded, said in a few bytes", async () => {
    const ada = await aUser(server);
    const bomb = Buffer.from(PIXEL, "base64");
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    bomb.writeUInt32BE(Bun.hash.crc32(bomb.subarray(12, 29)), 29);
    expect([(await set(ada, bomb)).status, server.errors]).toEqual([422, []]);
    const long = await set(ada, await aPicture(4097, 1));
    expect([long.status, long.body["message"]]).toEqual([422, "[Image]: larger than 4096 x 4096 pixels"]);
  });

  test("a visitor, and a token of another scope", async () => {
    expect((await post("/user/avatar", undefined, PIXEL)).status).toBe(401);
  });
});

describe("repositories", () => {
  test("have none until one is uploaded by who administers them", async () => {
    const [ada, bob] = [await aUser(server), await aUser(server)];
    const repo = aRepo(server, ada.user);
    const path = `/repos/${ada.login}/${repo.name}`;
    const url = async () =>
      String((await call(server, "GET", `/api/v1${path}`, { token: ada.token })).body["avatar_url"]);
    expect(await url()).toBe("");
    const refused = await post(`${path}/avatar`, bob.token, await anUpload());
    expect([refused.status, String(refused.body["message"])]).toEqual([
      403,
      "user should be an owner or a collaborator with admin write of a repository",
    ]);
    expect((await post(`${path}/avatar`, ada.token, await anUpload())).status).toBe(204);
    expect(await url()).toMatch(/\/repo-avatars\/[0-9a-f]{32}$/);
    expect((await picture(await url())).headers.get("content-type")).toBe("image/webp");
    // An address of the one kind is none of the other.
    expect((await picture((await url()).replace("repo-avatars", "avatars"))).headers.get("content-type")).toBe(
      "image/png",
    );
    expect((await call(server, "DELETE", `/api/v1${path}/avatar`, { token: ada.token })).status).toBe(204);
    expect(await url()).toBe("");
  });
});

describe("what is private stays so", () => {
  test("the picture of a private repository is shown to who may read it, and a drawn one to others", async () => {
    const [ada, bob] = [await aUser(server), await aUser(server)];
    const repo = aRepo(server, ada.user, { isPrivate: true });
    await post(`/repos/${ada.login}/${repo.name}/avatar`, ada.token, await anUpload());
    const url = String(
      (await call(server, "GET", `/api/v1/repos/${ada.login}/${repo.name}`, { token: ada.token })).body["avatar_url"],
    );
    const owner = await picture(url, { cookie: await aSession(server, ada.user) });
    expect([owner.headers.get("content-type"), owner.headers.get("cache-control")]).toEqual([
      "image/webp",
      "private, max-age=300",
    ]);
    expect((await picture(url, { authorization: `token ${ada.token}` })).headers.get("content-type")).toBe(
      "image/webp",
    );
    const unknown = await picture(url.replace(/[0-9a-f]{32}$/, "0".repeat(32)));
    for (const headers of [undefined, { cookie: await aSession(server, bob.user) }]) {
      const other = await picture(url, headers);
      const names = (found: typeof other) => [
        found.status,
        [...found.headers.keys()],
        found.headers.get("cache-control"),
      ];
      expect(names(other)).toEqual(names(unknown));
      expect(other.headers.get("content-type")).toBe("image/png");
    }
  });

  test("a private account's picture, too, by its address and by its name", async () => {
    const ada = await aUser(server);
    await set(ada);
    const url = await urlOf(ada.login);
    await server.services.identity.edit(operator, ada.user, { visibility: "private" });
    expect((await picture(url)).headers.get("content-type")).toBe("image/png");
    const byName = await call(server, "GET", `/user/avatar/${ada.login}/40`);
    expect([byName.status, byName.headers.get("location")]).toEqual([303, `/avatars/${ada.login}`]);
    const own = await picture(url, { cookie: await aSession(server, ada.user) });
    expect(own.headers.get("content-type")).toBe("image/webp");
  });
});

test("an account or repository that goes takes its picture with it", async () => {
  await using own = await aServer({ "blobs.grace_days": 0, "repository.bin_days": 0 });
  const ada = await aUser(own);
  const repo = aRepo(own, ada.user);
  const body = { image: PIXEL };
  await call(own, "POST", "/api/v1/user/avatar", { token: ada.token, body });
  await call(own, "POST", `/api/v1/repos/${ada.login}/${repo.name}/avatar`, { token: ada.token, body });
  const { db } = own.core;
  const { blobs, blobInspector } = own.services;
  const references = () => db.query("SELECT * FROM blob_references").all().length;
  expect(references()).toBe(4);
  await call(own, "DELETE", `/api/v1/repos/${ada.login}/${repo.name}`, { token: ada.token });
  expect(references()).toBe(2);
  own.services.identity.remove(asAccount(ada.user), ada.user);
  expect(references()).toBe(0);
  expect(blobs.sweep()).toBe(1);
  expect(await blobInspector.inspect()).toEqual({ files: 0, bytes: 0, problems: [] });
});

describe("pages", () => {
  const upload = (file: Blob | undefined, name = "me.png") => {
    const form = new FormData();
    form.set("avatar", file ?? new Blob([]), file ? name : "");
    return form;
  };
  const send = async (path: string, who: TestUser, body: FormData | undefined) => {
    const cookie = await aSession(server, who.user);
    const url = server.url.replace(/\/$/, "") + path;
    const answer = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: new URL(url).origin },
      ...(body ? { body } : {}),
    });
    const flash = answer.headers.get("set-cookie") ?? "";
    return {
      status: answer.status,
      location: answer.headers.get("location"),
      flash: Buffer.from(/flash=([^;]*)/.exec(flash)?.[1] ?? "", "base64url").toString(),
    };
  };
  const page = async (path: string, who: TestUser) =>
    (await call(server, "GET", path, { cookie: await aSession(server, who.user) })).text;

  test("an account's picture is uploaded by a plain form and shown everywhere", async () => {
    const ada = await aUser(server);
    expect(await page("/user/settings", ada)).not.toContain("Remove the picture");
    const sent = await send("/user/settings/avatar", ada, upload(new Blob([await aPicture(30, 20)])));
    expect([sent.status, sent.location]).toEqual([303, "/user/settings"]);
    expect(sent.flash).toContain("The picture was changed.");
    const path = new URL(await urlOf(ada.login)).pathname;
    const settings = await page("/user/settings", ada);
    expect(settings).toContain("Remove the picture");
    for (const shown of [settings, await page(`/${ada.login}`, ada), await page("/explore/users", ada)])
      expect(shown).toContain(`src="${path}?size=`);
    const redirect = await call(server, "GET", `/${ada.login}.png`);
    expect(redirect.headers.get("location")).toBe(path);
    expect((await send("/user/settings/avatar/delete", ada, undefined)).flash).toContain("The picture was removed.");
    expect(await page(`/${ada.login}`, ada)).not.toContain(path);
  });

  test("what is refused is said in a sentence", async () => {
    const ada = await aUser(server);
    expect((await send("/user/settings/avatar", ada, upload(undefined))).flash).toContain("Choose a picture first.");
    expect((await send("/user/settings/avatar", ada, upload(new Blob(["hello"])))).flash).toContain(
      "This is not a PNG",
    );
    const large = new Blob([new Uint8Array(8 * 2 ** 20 + 1)]);
    expect((await send("/user/settings/avatar", ada, upload(large))).flash).toContain("larger than 8 MiB");
  });

  test("a repository's picture", async () => {
    const [ada, bob] = [await aUser(server), await aUser(server)];
    const repo = aRepo(server, ada.user);
    const settings = `/${ada.login}/${repo.name}/settings`;
    expect((await send(`${settings}/avatar`, bob, upload(new Blob([await aPicture(9, 9)])))).status).toBe(404);
    const sent = await send(`${settings}/avatar`, ada, upload(new Blob([await aPicture(9, 9)])));
    expect([sent.status, sent.location]).toEqual([303, settings]);
    expect(await page(settings, ada)).toContain('src="/repo-avatars/');
    expect((await send(`${settings}/avatar/delete`, ada, undefined)).flash).toContain("The picture was removed.");
  });

  test("without an upload, the same face is drawn in lists, on the profile and for clients", async () => {
    const ada = await aUser(server);
    const face = (html: string, size: number) =>
      new RegExp(`<svg class="av av-s${size}"[^>]*>(.*?)</svg>`, "s").exec(html)?.[1];
    const profile = await page(`/${ada.login}`, ada);
    // On the own page it is a picture that can be saved.
    expect(profile).toContain(`src="/avatars/${ada.login}?size=192"`);
    expect(face(profile, 20)).toBeDefined();
    expect(face(await page("/explore/users", ada), 32)).toBeDefined();
  });
});

test("no request ended in an unexpected error", () => {
  expect(server.errors).toEqual([]);
});

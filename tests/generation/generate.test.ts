import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aUser, call, type Json, type TestServer, type TestUser } from "../builders.ts";
import { git } from "../executable/process.ts";

/** Repositories from templates, over REST and by form (contract repositories.md 6). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** A PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let count = 0;
const newName = () => `g${++count}`;

const generate = (template: string, body: Json, who: TestUser | undefined = bob) =>
  call<Json>(server, "POST", `/api/v1/repos/ada/${template}/generate`, { token: who?.token, body });
const asTemplate = async (name: string) =>
  call(server, "PATCH", `/api/v1/repos/ada/${name}`, { token: ada.token, body: { template: true } });
const dirOf = (login: string, name: string) => {
  const owner = server.services.identity.byLogin(login)!;
  return server.services.storage.dirOf(server.services.repos.find(owner, name)!.id);
};

async function templateOf(files: Record<string, string | Uint8Array>, isPrivate = false): Promise<string> {
  const { name } = aRepo(server, ada.user, { files, isPrivate });
  await asTemplate(name);
  return name;
}

describe("generating", () => {
  test("copies the files as one commit of whoever asks, and nothing of the history", async () => {
    const template = await templateOf({ "src/a.txt": "hello\n", "b.bin": new Uint8Array([0, 255, 1]) });
    const name = newName();
    const made = await generate(template, {
      owner: "bob",
      name,
      git_content: true,
      description: "mine",
      private: true,
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        full_name: `bob/${name}`,
        description: "mine",
        private: true,
        fork: false,
        template: false,
        empty: false,
      },
    });
    const dir = dirOf("bob", name);
    expect(await git(dir, "ls-tree", "-r", "main")).toBe(await git(dirOf("ada", template), "ls-tree", "-r", "main"));
    expect(await git(dir, "log", "--format=%s|%an", "main")).toBe("Initial commit|bob");
    await git(dir, "fsck", "--strict");
  });

  test("puts variables into the files and names that the template lists, and into no others", async () => {
    const template = await templateOf({
      ".gitea/template": "# which\nREADME.md\n**/*.txt\n*.bin\n",
      "README.md": "Hi ${REPO_NAME_UPPER} of $REPO_OWNER ${FOO} from ${TEMPLATE_OWNER}/${TEMPLATE_NAME}",
      "deep/${REPO_NAME}.txt": "x",
      "other.md": "$REPO_NAME",
      "x.bin": new Uint8Array([0, 36, 89, 69, 65, 82]),
    });
    const name = newName();
    expect((await generate(template, { owner: "bob", name, git_content: true })).status).toBe(201);
    const dir = dirOf("bob", name);
    expect(await git(dir, "show", "main:README.md")).toBe(`Hi ${name.toUpperCase()} of bob FOO from ada/${template}`);
    expect(await git(dir, "ls-tree", "-r", "--name-only", "main")).toBe(
      ["README.md", `deep/${name}.txt`, "other.md", "x.bin"].join("\n"),
    );
    expect(await git(dir, "show", "main:other.md")).toBe("$REPO_NAME");
    await git(dir, "fsck", "--strict");
  });

  test("two files that would have one name refuse it, and nothing is made", async () => {
    const template = await templateOf({ ".gitea/template": "*.txt\n", "$REPO_OWNER.txt": "1", "bob.txt": "2" });
    const name = newName();
    const refused = await generate(template, { owner: "bob", name, git_content: true });
    expect([refused.status, refused.body["message"]]).toEqual([
      422,
      "two files of the template would be called bob.txt",
    ]);
    expect(server.services.repos.find(bob.user, name)).toBeUndefined();
    expect((await generate(template, { owner: "ada", name, git_content: true }, ada)).status).toBe(201);
  });

  test("has topics when they are asked for, a branch of its own, and may have no files", async () => {
    const template = await templateOf({ a: "1" });
    await call(server, "PUT", `/api/v1/repos/ada/${template}/topics`, { token: ada.token, body: { topics: ["tpl"] } });
    const [one, two] = [newName(), newName()];
    expect((await generate(template, { owner: "bob", name: one, topics: true })).body).toMatchObject({
      topics: ["tpl"],
      empty: true,
    });
    const made = await generate(template, { owner: "bob", name: two, git_content: true, default_branch: "trunk" });
    expect(made.body).toMatchObject({ topics: [], default_branch: "trunk" });
    expect(await git(dirOf("bob", two), "for-each-ref", "--format=%(refname)")).toBe("refs/heads/trunk");
  });

  test("has the picture and the rules of branches when they are asked for", async () => {
    const template = await templateOf({ a: "1" });
    const of = (owner: string, name: string) => `/api/v1/repos/${owner}/${name}`;
    const ask = (method: string, path: string, who: TestUser, body?: Json) =>
      call<Json & Json[]>(server, method, path, { token: who.token, ...(body ? { body } : {}) });
    const { name: plain } = aRepo(server, ada.user);
    await asTemplate(plain);
    expect((await generate(plain, { owner: "bob", name: newName(), avatar: true })).body["avatar_url"]).toBe("");
    await ask("POST", `${of("ada", template)}/avatar`, ada, { image: PIXEL });
    await ask("PUT", `${of("ada", template)}/collaborators/bob`, ada, { permission: "write" });
    const rule = {
      rule_name: "rel/*",
      required_approvals: 2,
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ["ada", "bob"],
    };
    expect((await ask("POST", `${of("ada", template)}/branch_protections`, ada, rule)).status).toBe(201);
    const name = newName();
    const made = await generate(template, { owner: "bob", name, avatar: true, protected_branch: true });
    const picture = async (path: string) => (await ask("GET", path, bob)).body["avatar_url"] as string;
    expect(made.body["avatar_url"]).toBe(await picture(of("bob", name)));
    expect(made.body["avatar_url"]).not.toBe(await picture(of("ada", template)));
    const rules = await ask("GET", `${of("bob", name)}/branch_protections`, bob);
    // Whoever may not write here has no place in its lists.
    expect(rules.body).toMatchObject([{ ...rule, push_whitelist_usernames: ["bob"] }]);
    expect((await ask("DELETE", of("ada", template), ada)).status).toBe(204);
    const kept = await fetch(await picture(of("bob", name)));
    expect([kept.status, kept.headers.get("content-type")]).toEqual([200, "image/png"]);
    const without = newName();
    expect((await generate(plain, { owner: "bob", name: without, git_content: true })).body["avatar_url"]).toBe("");
  });

  test("is refused in the contract's words", async () => {
    const template = await templateOf({ a: "1" });
    const { name: plain } = aRepo(server, ada.user, { files: { a: "1" } });
    const base = { owner: "bob", name: newName(), git_content: true };
    const said = async (body: Json, of = template, who: TestUser | undefined = bob) => {
      const answer = await generate(of, body, who);
      return [answer.status, answer.body["message"] ?? answer.body["error"]];
    };
    expect(await said(base, plain)).toEqual([422, "this is not a template repo"]);
    expect(await said({ ...base, git_content: false })).toEqual([422, "must select at least one template item"]);
    // What is no template, or has nothing chosen, is refused whoever it is for.
    expect(await said({ ...base, owner: "nobody" }, plain)).toEqual([422, "this is not a template repo"]);
    expect(await said({ ...base, owner: "nobody" })).toEqual([404, "request owner `nobody` does not exist"]);
    for (const owner of [undefined, null, ""])
      expect(await said({ ...base, owner } as unknown as Json)).toEqual([404, "request owner `` does not exist"]);
    expect(await said({ ...base, owner: "ada" })).toEqual([403, "Only admin can generate repository for other user."]);
    for (const name of ["x.git", "..", "a b", ""]) expect((await said({ ...base, name }))[0]).toBe(422);
    expect((await generate(template, base, undefined)).status).toBe(201);
    expect((await said(base))[0]).toBe(409);
    const secret = await templateOf({ a: "1" }, true);
    expect((await said(base, secret))[0]).toBe(404);
  });
});

test("the form makes one, and shows again what was refused", async () => {
  const template = await templateOf({ a: "1" });
  const cookie = await aSession(server, bob.user);
  const at = `${server.url}ada/${template}`;
  expect(await (await fetch(at, { headers: { cookie } })).text()).toContain(`/ada/${template}/generate`);
  const post = (fields: Record<string, string>) =>
    fetch(`${at}/generate`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: new URL(server.url).origin },
      body: new URLSearchParams(fields),
    });
  const name = newName();
  const made = await post({ repo_name: name, git_content: "on" });
  expect([made.status, made.headers.get("location")]).toEqual([303, `/bob/${name}`]);
  const refused = await post({ repo_name: name, description: "typed" });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("typed");
});

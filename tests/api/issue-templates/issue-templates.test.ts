import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { configFiles } from "../../../src/issue-templates/locations.ts";
import { renderForm } from "../../../src/issue-templates/render.ts";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";

/** Templates of issues over REST, and what forms become (contract issues.md 16). */

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

const api = anApi(() => server);

interface TemplateBody {
  readonly name: string;
  readonly about: string;
  readonly title: string;
  readonly labels: string[];
  readonly assignees: string[];
  readonly content: string;
  readonly file_name: string;
  readonly body: { readonly id: string; readonly type: string; readonly attributes: Record<string, unknown> }[] | null;
}

const seenBy = (who: TestUser, name: string) => server.services.repos.see(asAccount(who.user), "ada", name, () => "");
const aProject = (files: Record<string, string>) => aRepo(server, ada.user, { files }).name;
const templatesOf = (name: string) => api<TemplateBody[]>("GET", `/repos/ada/${name}/issue_templates`, bob);
const problemsOf = async (files: Record<string, string>) => {
  const { problems } = await server.services.issueTemplates.read(seenBy(ada, aProject(files)));
  return problems.map(({ message, path }) => `${path}: ${message}`);
};
const form = (body: string) => ({ ".gitea/ISSUE_TEMPLATE/f.yaml": `name: F\nabout: a\nbody:\n${body}` });
const problem = async (body: string) =>
  (await problemsOf(form(body)))[0]?.replace(".gitea/ISSUE_TEMPLATE/f.yaml: ", "");

describe("issue templates", () => {
  test("come from all directories, in their order", async () => {
    const template = (name: string) => `---\nname: ${name}\nabout: a\n---\ntext`;
    const name = aProject({
      ".github/ISSUE_TEMPLATE/b.md": template("github"),
      ".gitlab/issue_template/a.md": template("gitlab"),
      ".forgejo/ISSUE_TEMPLATE/a.md": template("forgejo"),
      "ISSUE_TEMPLATE/a.md": template("root"),
      "ISSUE_TEMPLATE/config.yml": "blank_issues_enabled: false",
      "ISSUE_TEMPLATE/notes.txt": "no template",
      "docs/ISSUE_TEMPLATE/a.md": template("elsewhere"),
    });
    expect((await templatesOf(name)).body.map((each) => each.name)).toEqual(["root", "forgejo", "github", "gitlab"]);
    expect((await api("GET", `/repos/ada/${name}/issue_config`)).body).toEqual({
      blank_issues_enabled: true,
      contact_links: [],
    });
  });

  test("without front matter are texts, and labels may have commas between them", async () => {
    const name = aProject({
      "ISSUE_TEMPLATE/plain.md": `${"x".repeat(100)}\nmore`,
      "ISSUE_TEMPLATE/rich.md": "----\nname: Rich\ndescription: d\nlabels: a, b ,\nassignees:\n  - ada\n---\n\n# Hi\n",
    });
    const { body } = await templatesOf(name);
    expect(body).toMatchObject([
      { name: "plain.md", about: "x".repeat(80), body: null, labels: null, title: "" },
      {
        name: "Rich",
        about: "d",
        labels: ["a", "b"],
        assignees: ["ada"],
        content: "\n# Hi\n",
        ref: "refs/heads/",
      } as never,
    ]);
  });

  test("say by position what is wrong with them", async () => {
    expect(await problem("  - type: slider\n")).toBe("body[0](slider): unknown type");
    expect(await problem("  - type: input\n")).toBe("body[0](input): 'label' is required");
    expect(
      await problem(
        "  - type: markdown\n    attributes: {value: hi}\n  - type: textarea\n    id: a b\n    attributes: {label: l}\n",
      ),
    ).toBe("body[1](textarea): 'id' should contain only alphanumeric, '-' and '_'");
    expect(await problem("  - type: dropdown\n    attributes: {label: l, options: [a, {b: c}]}\n")).toBe(
      "body[0](dropdown): option[1]: should be a text",
    );
    expect(await problem("  - type: dropdown\n    attributes: {label: l, options: [a], default: 1}\n")).toBe(
      "body[0](dropdown): 'default' is out of the range of 'options'",
    );
    expect(
      await problem("  - type: checkboxes\n    attributes: {label: l, options: [{label: x}, {required: true}]}\n"),
    ).toBe("body[0](checkboxes): option[1]: 'label' is required");
    expect(
      await problem(
        "  - type: input\n    attributes: {label: l}\n    visible: [content]\n    validations: {required: true}\n",
      ),
    ).toBe("body[0](input): can not require a hidden field");
    expect(await problem("  - type: input\n    attributes: {label: l}\n    validations: {regex: '('}\n")).toBe(
      "body[0](input): 'regex' is not a regular expression",
    );
    expect(
      await problem(
        "  - {type: input, id: a, attributes: {label: l}}\n  - {type: input, id: a, attributes: {label: l}}\n",
      ),
    ).toBe("body[1](input): 'id' should be unique");
    expect(await problemsOf({ "ISSUE_TEMPLATE/x.yml": "name: X\nbody: []" })).toEqual([
      "ISSUE_TEMPLATE/x.yml: 'about' is required",
    ]);
  });

  test("that are made to harm are counted, and keep nobody waiting", async () => {
    const letters = [..."bcdefghijk"];
    const bomb = `a: &a [${"x,".repeat(9)}x]\n${letters.map((c, at) => `${c}: &${c} [${Array(9).fill(`*${"abcdefghijk"[at]}`).join(",")}]`).join("\n")}`;
    const name = aProject({
      "ISSUE_TEMPLATE/bomb.yaml": bomb,
      "ISSUE_TEMPLATE/deep.yaml": "[".repeat(200_000),
      "ISSUE_TEMPLATE/cycle.yaml": "name: c\nabout: a\nbody: &b [*b]",
      "ISSUE_TEMPLATE/large.md": "x".repeat((1 << 20) + 1),
      "ISSUE_TEMPLATE/proto.yaml": "__proto__: {name: x, about: y}\nbody: [{type: input}]",
      "ISSUE_TEMPLATE/binary.yaml": "\u0000\u0001",
      "ISSUE_TEMPLATE/ok.md": "---\nname: ok\nabout: ok\n---\n",
    });
    const answer = await templatesOf(name);
    expect(answer.body.map((each) => each.name)).toEqual(["ok"]);
    expect(answer.headers.get("x-gitea-warning")).toBe("error occurs when parsing issue template: count=6");
  });

  test("are for who may read the code; an empty repository has none", async () => {
    const name = aProject({ "ISSUE_TEMPLATE/a.md": "---\nname: n\nabout: a\n---\n" });
    await api("PATCH", `/repos/ada/${name}`, ada, { has_code: false });
    expect((await templatesOf(name)).status).toBe(403);
    expect((await server.services.issueTemplates.read(seenBy(bob, name))).templates).toEqual([]);
    const { name: empty } = aRepo(server, ada.user);
    expect((await templatesOf(empty)).body).toEqual([]);
    expect((await api("GET", `/repos/ada/${empty}/issue_config/validate`)).body).toEqual({ valid: true, message: "" });
  });
});

describe("the configuration", () => {
  test("is found in each of its places", async () => {
    for (const path of configFiles) {
      const name = aProject({ [path]: "blank_issues_enabled: false" });
      expect([path, (await api("GET", `/repos/ada/${name}/issue_config`)).body["blank_issues_enabled"]]).toEqual([
        path,
        false,
      ]);
    }
  });

  test("says what is wrong with it, and counts for nothing then", async () => {
    for (const [text, message] of [
      ["blank_issues_enabled: perhaps", "blank_issues_enabled should be true or false"],
      ["contact_links: x", "contact_links should be a list"],
      [
        "blank_issues_enabled: false\ncontact_links: [{name: a, url: 'https://a.example/'}]",
        "contact_link at position 1 is missing about key",
      ],
      ["contact_links: [{name: a, url: 'javascript:alert(1)', about: b}]", "javascript:alert(1) is not a valid URL"],
      ["- a", "not a YAML mapping"],
    ]) {
      const name = aProject({ ".gitea/ISSUE_TEMPLATE/config.yml": text ?? "" });
      expect((await api("GET", `/repos/ada/${name}/issue_config/validate`)).body).toEqual({
        valid: false,
        message: message ?? "",
      });
      expect((await api("GET", `/repos/ada/${name}/issue_config`)).body).toEqual({
        blank_issues_enabled: true,
        contact_links: [],
      });
    }
  });
});

describe("forms", () => {
  const body = `
  - {type: markdown, attributes: {value: Hello}}
  - {type: markdown, attributes: {value: Both}, visible: [form, content]}
  - {type: input, id: version, attributes: {label: Version}, validations: {required: true, is_number: true}}
  - {type: input, id: code, attributes: {label: Code, hide_label: true}, validations: {regex: '^(a+)+$'}}
  - {type: textarea, id: log, attributes: {label: Log, render: shell}}
  - {type: textarea, id: more, attributes: {label: More}}
  - {type: dropdown, id: where, attributes: {label: Where, options: [here, there, nowhere], multiple: true}}
  - {type: dropdown, id: list, attributes: {label: List, options: [x, y], multiple: true, list: true}}
  - {type: checkboxes, id: terms, attributes: {label: Terms, options: [{label: Yes, required: true}, {label: Also}, {label: Quiet, visible: [form]}]}}
  - {type: input, id: hidden, attributes: {label: Hidden}, visible: [form]}
`;
  const fieldsOf = async () => {
    const { templates } = await server.services.issueTemplates.read(seenBy(ada, aProject(form(body))));
    return templates[0]?.fields ?? [];
  };
  const submitted = (values: Record<string, string>) => (name: string) => values[name.replace("form-field-", "")] ?? "";

  test("become Markdown", async () => {
    const values = {
      version: "1.0",
      code: "aaa",
      log: "a\r\n```b```\n````",
      where: "0,2,9,x",
      list: "1,0",
      "terms-0": "on",
      "terms-2": "on",
      hidden: "h",
    };
    expect(renderForm(await fieldsOf(), submitted(values))).toBe(
      [
        "Both",
        "### Version\n\n1.0",
        "aaa",
        "### Log\n\n`````shell\na\n```b```\n````\n`````",
        "### More\n\n_No response_",
        "### Where\n\nhere, nowhere",
        "### List\n\n- y\n- x",
        "### Terms\n\n- [x] Yes\n- [ ] Also",
        "",
      ].join("\n\n"),
    );
  });

  test("are checked, in linear time whatever the pattern says", async () => {
    const { issueTemplates } = server.services;
    const fields = await fieldsOf();
    const check = async (values: Record<string, string>) =>
      (await issueTemplates.check(fields, submitted(values))).map(({ field, problem }) => `${field.id} ${problem}`);
    expect(await check({})).toEqual(["version required", "terms required"]);
    expect(await check({ version: "one", "terms-0": "on", code: "b" })).toEqual(["version number", "code pattern"]);
    expect(await check({ version: "1", "terms-0": "on", code: `${"a".repeat(4_000)}b` })).toEqual(["code pattern"]);
  });
});

import type { Call, Route } from "../../src/http/route.ts";
import { MAX_KEYS } from "../../src/keys/values.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { DeployKeysPage } from "./deploy.tsx";
import { keysWords } from "./words/index.ts";

const PAGE = "settings/keys";

/** A repository's deploy keys (contract web.md 1.10). */
export function deployKeyPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersRepo, path: `/:owner/:repo/${PAGE}` } as const;
  return [
    { ...page, method: "GET", handle: (call) => list(services, call, undefined) },
    { ...page, method: "POST", handle: (call) => add(services, call) },
    { ...page, path: `${page.path}/delete`, method: "POST", handle: (call) => remove(services, call) },
  ];
}

interface Refused {
  readonly form: Form;
  readonly errors: FormErrors<"title" | "content">;
}

async function list(services: WebServices, call: Call, refused: Refused | undefined): Promise<Response> {
  const seen = seenRepo(call);
  const { items } = services.deployKeys.list(seen, {}, { limit: MAX_KEYS, offset: 0 });
  const form = refused && {
    values: {
      title: refused.form.text("title").slice(0, 255),
      content: refused.form.text("content").slice(0, 16_384),
      mayWrite: refused.form.checked("is_writable"),
    },
    errors: refused.errors,
  };
  const view = (
    <DeployKeysPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      keys={items}
      {...(form ? { form } : {})}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function add(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const isReadOnly = !form.checked("is_writable");
  try {
    await services.deployKeys.add(seen, { title: form.text("title"), key: form.text("content"), isReadOnly });
  } catch (error) {
    return list(services, call, { form, errors: formErrors(call, error, { title: "title", key: "content" }) });
  }
  const text = wordsFor(call, keysWords)("keyAdded");
  return redirectAfterPost(services, call, homeOf(seen, PAGE), { kind: "success", text });
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  services.deployKeys.remove(seen, (await readForm(call)).number("id") ?? 0);
  const text = wordsFor(call, keysWords)("keyDeleted");
  return redirectAfterPost(services, call, homeOf(seen, PAGE), { kind: "success", text });
}

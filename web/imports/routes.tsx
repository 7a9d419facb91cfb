import { json } from "../../src/http/respond.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { type ImportRequest, importParts, importServiceNamed } from "../../src/imports/types.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { recordedFailure } from "../../src/remotes/recorded-failure.ts";
import { administersRepo, seesRepo } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { Repo, SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoHref } from "../links.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type ImportField, ImportPage } from "./form.tsx";
import { importsWords } from "./words/index.ts";

const SERVICE_FIELDS: Readonly<Record<string, ImportField>> = {
  clone_addr: "clone_addr",
  name: "repo_name",
  description: "description",
  mirror_interval: "mirror_interval",
  lfs_endpoint: "lfs_endpoint",
};

/** A URL without its credentials, so that it can be shown again. */
function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return text.includes("@") ? "" : text;
  const url = new URL(text);
  [url.username, url.password] = ["", ""];
  return url.href;
}

/** Imports a repository by form, and handles the actions of its page during the import (contract web.md). */
export function importPages(services: WebServices): Route[] {
  const form = { surface: "page", access: ownAccount, path: "/repo/migrate" } as const;
  const administer = { method: "POST", surface: "page", access: administersRepo } as const;
  return [
    { ...form, method: "GET", handle: (call) => importPage(services, call, undefined) },
    { ...form, method: "POST", handle: (call) => begin(services, call) },
    {
      method: "GET",
      surface: "page",
      access: seesRepo,
      path: "/:owner/:repo/-/migrate/status",
      handle: (call) => status(services, call),
    },
    {
      ...administer,
      path: "/:owner/:repo/settings/migrate/retry",
      handle: (call) => act(services, call, (seen) => services.imports.retry(seen)),
    },
    {
      ...administer,
      path: "/:owner/:repo/settings/migrate/cancel",
      handle: (call) => act(services, call, (seen) => services.imports.cancel(seen)),
    },
  ];
}

function importPage(
  services: WebServices,
  call: Call,
  refused: { form: Form; errors: FormErrors<ImportField> } | undefined,
): Response {
  const user = signedIn(call);
  const { config, imports, organizations } = services;
  const given = refused?.form;
  const text = (name: string) => given?.text(name).slice(0, 2048) ?? "";
  const creatable = organizations.creatableFor(user);
  const asked = (call.query.get("org") ?? "").toLowerCase();
  const owner = given
    ? creatable.find(({ id }) => id === given.number("uid"))
    : creatable.find(({ login }) => login.toLowerCase() === asked);
  const view = (
    <ImportPage
      shell={shellOf(services, call)}
      form={{
        values: {
          clone_addr: text("clone_addr"),
          auth_username: text("auth_username"),
          uid: String((owner ?? user).id),
          repo_name: text("repo_name"),
          description: text("description"),
          mirror_interval: text("mirror_interval"),
          // It may contain a password.
          lfs_endpoint: withoutSecrets(text("lfs_endpoint")),
        },
        ...(refused ? { errors: refused.errors } : {}),
      }}
      owners={[user, ...creatable].map((each) => ({ value: String(each.id), label: each.login }))}
      org={given ? "" : asked}
      service={importServiceNamed(given ? serviceIn(given) : (call.query.get("service_type") ?? ""))}
      parts={given ? importParts.filter((part) => given.checked(part)) : importParts}
      isPrivate={given ? given.checked("private") : config["repository.force_private"]}
      isMirror={imports.mayMirror ? (given?.checked("mirror") ?? false) : undefined}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

const serviceIn = (form: Form) => form.text("service") || form.text("service_type");

async function begin(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  const form = await readForm(call);
  const uid = form.has("uid") ? form.number("uid") : user.id;
  const owner = [user, ...services.organizations.creatableFor(user)].find(({ id }) => id === uid);
  const refuse = (errors: FormErrors<ImportField>) => importPage(services, call, { form, errors });
  if (!owner) return refuse({ uid: wordsFor(call, importsWords)("notYourOwner") });
  const request: ImportRequest = {
    owner,
    name: form.text("repo_name"),
    address: form.text("clone_addr"),
    service: importServiceNamed(serviceIn(form)),
    username: form.text("auth_username"),
    password: form.exact("auth_password"),
    token: form.text("auth_token"),
    description: form.text("description"),
    isPrivate: form.checked("private"),
    parts: importParts.filter((part) => form.checked(part)),
    isMirror: form.checked("mirror"),
    interval: form.text("mirror_interval"),
    lfsEndpoint: form.checked("lfs") ? form.text("lfs_endpoint") : "",
    isAwaited: false,
  };
  let repo: Repo;
  try {
    repo = await services.imports.begin(call.principal, request);
  } catch (error) {
    return refuse(formErrors<ImportField>(call, error, SERVICE_FIELDS));
  }
  return redirectAfterPost(services, call, repoHref({ owner: owner.login, name: repo.name }));
}

/** Polled by programs that wait for an import. */
function status({ imports }: WebServices, call: Call): Response {
  const progress = imports.of(seenRepo(call).repo.id);
  if (!progress) return json({ err: wordsFor(call, importsWords)("import.none") }, 404);
  const failure = recordedFailure(progress.import.failure);
  const { counts, detail, step } = progress;
  const brought = Object.entries(counts).find(([part]) => part === step)?.[1] ?? "";
  const message = failure ? refusalText(call, failure) : detail || String(brought);
  return json({ status: failure ? FAILED : RUNNING, message });
}

/** Status values that clients expect. */
const RUNNING = 1;
const FAILED = 3;

function act(services: WebServices, call: Call, change: (seen: SeenRepo) => void): Response {
  const seen = seenRepo(call);
  if (!services.imports.of(seen.repo.id)) throw new NotFound();
  change(seen);
  return redirectAfterPost(services, call, homeOf(seen));
}

import type { User } from "../../src/access/user.ts";
import { administersAccounts } from "../../src/admin/access.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import type { SignInSource } from "../../src/sources/types.ts";
import type { WebServices } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { FormActions, SelectField, TextField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { readForm, refusalText } from "../form-data.ts";
import type { Children } from "../jsx/types.ts";
import { useWords, wordsFor } from "../language.ts";
import { redirectAfterPost } from "../visit.ts";
import { sourceWords } from "./words/index.ts";

const ACCOUNT = "/-/admin/users";

/** Lets administrators set the sign-in source of an account. */
export function assignPages(services: WebServices): Route[] {
  return [
    {
      method: "POST",
      surface: "page",
      access: administersAccounts,
      path: `${ACCOUNT}/:id/source`,
      handle: (call) => assign(services, call),
    },
  ];
}

/** A card on an account's page, when there are sources. */
export function assignCard(services: WebServices, call: Call, user: User): Children | null {
  const sources = services.sources.list(call.principal);
  return sources.length === 0 || user.kind !== "individual" ? null : <AssignCard user={user} sources={sources} />;
}

async function assign(services: WebServices, call: Call): Promise<Response> {
  const id = param(call, "id");
  const user = /^\d{1,15}$/.test(id) ? services.identity.byId(Number(id)) : undefined;
  if (user?.kind !== "individual") throw new NotFound();
  const form = await readForm(call);
  const sourceId = form.number("source") ?? 0;
  if (sourceId !== 0) services.sources.get(call.principal, sourceId);
  const page = `${ACCOUNT}/${user.id}/edit`;
  try {
    const loginName = sourceId === 0 ? "" : form.text("login_name");
    await services.identity.edit(call.principal, user, { sourceId, loginName });
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 422) throw error;
    return redirectAfterPost(services, call, page, { kind: "error", text: refusalText(call, error) });
  }
  return redirectAfterPost(services, call, page, { kind: "success", text: wordsFor(call, sourceWords)("assigned") });
}

function AssignCard({ user, sources }: { user: User; sources: readonly SignInSource[] }) {
  const t = useWords(sourceWords);
  const choices = [
    { value: "0", label: t("passwordHere") },
    ...sources.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <Card title={t("sourceOfAccount")}>
      <form class="form" method="post" action={`${ACCOUNT}/${user.id}/source`}>
        <SelectField
          name="source"
          label={t("source")}
          hint={t("sourceHint")}
          choices={choices}
          value={String(user.sourceId)}
        />
        <TextField
          name="login_name"
          label={t("loginName")}
          hint={t("loginNameHint")}
          value={user.loginName}
          autocomplete="off"
          maxLength={255}
          code
        />
        <FormActions>
          <SubmitButton>{t("save")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}

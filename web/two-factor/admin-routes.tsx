import type { User } from "../../src/access/user.ts";
import { administersAccounts } from "../../src/admin/access.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { OpenButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { Card } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords, wordsFor } from "../language.ts";
import { redirectAfterPost } from "../visit.ts";
import { twoFactorWords } from "./words/index.ts";

const ACCOUNT = "/-/admin/users";

/** Removes the second factors of users who lost them. */
export function twoFactorAdminPages(services: WebServices): Route[] {
  return [
    {
      method: "POST",
      surface: "page",
      access: administersAccounts,
      path: `${ACCOUNT}/:id/two_factor/remove`,
      handle: (call) => remove(services, call),
    },
  ];
}

function remove(services: WebServices, call: Call): Response {
  const id = param(call, "id");
  const user = /^\d{1,15}$/.test(id) ? services.identity.byId(Number(id)) : undefined;
  if (!user) throw new NotFound();
  services.twoFactor.removeAll(call.principal, user);
  const text = wordsFor(call, twoFactorWords)("removed", { name: user.login });
  return redirectAfterPost(services, call, `${ACCOUNT}/${user.id}/edit`, { kind: "success", text });
}

/** On the page of an account that has second factors. */
export function removalCard(services: WebServices, _call: Call, user: User): Children | null {
  return services.twoFactor.isEnrolled(user.id) ? <RemovalCard userId={user.id} name={user.login} /> : null;
}

function RemovalCard({ userId, name }: { userId: number; name: string }) {
  const t = useWords(twoFactorWords);
  return (
    <Card title={t("removeTitle")} danger>
      <div class="danger-row">
        <p>{t("removeLead")}</p>
        <OpenButton kind="danger" opens="remove-two-factor">
          {t("removeAll")}
        </OpenButton>
      </div>
      <QuestionDialog
        id="remove-two-factor"
        title={t("removeQuestion", { name })}
        action={`${ACCOUNT}/${userId}/two_factor/remove`}
        fields={{}}
        label={t("removeAll")}
      >
        {t("removeLead")}
      </QuestionDialog>
    </Card>
  );
}

import { accountOf } from "../../src/access/principal.ts";
import { disposition } from "../../src/http/file-answer.ts";
import type { Route } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import type { WebServices } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { FormActions } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { packagesWords } from "./words/index.ts";

const REGENERATE = "/user/settings/packages/chef/regenerate_keypair";

/** `POST …/regenerate_keypair` responds with the private key as a file, once (contract packages.md 6). */
export function chefPages({ chefKeys }: WebServices): Route[] {
  return [
    {
      method: "POST",
      surface: "page",
      path: REGENERATE,
      access: ownAccount,
      handle: async ({ keepOpen, principal, request }) => {
        keepOpen();
        const key = await chefKeys.regenerate(principal, request.signal);
        return new Response(key, {
          headers: {
            "content-type": "application/x-pem-file",
            "content-disposition": disposition(`${accountOf(principal).login}.priv`, "attachment"),
            "cache-control": "no-store",
          },
        });
      },
    },
  ];
}

export interface ChefKeyProps {
  /** undefined: the account has no key. */
  readonly madeAt: Instant | undefined;
}

/** The key that Chef clients sign with. */
export function ChefKeyCard({ madeAt }: ChefKeyProps) {
  const t = useWords(packagesWords);
  return (
    <Card title={t("chefKey")}>
      <p>{t("chefKeyHint")}</p>
      {madeAt === undefined ? (
        <p class="muted">{t("chefKeyNone")}</p>
      ) : (
        <p class="muted">
          {t("chefKeyMade")} <Time at={madeAt} />
        </p>
      )}
      <form class="form" method="post" action={REGENERATE}>
        <p class="hint">{t("makeChefKeyHint")}</p>
        <FormActions>
          <SubmitButton icon="key">{t("makeChefKey")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}

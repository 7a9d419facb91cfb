import type { SelfCheckFinding } from "../../src/admin/self-check/service.ts";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { AdminFrame } from "./admin-frame.tsx";
import { adminWords } from "./words/index.ts";

/** `GET /-/admin/self_check`. */
export function SelfCheckPage({ shell, findings }: { shell: Shell; findings: readonly SelfCheckFinding[] }) {
  const t = useWords(adminWords);
  return (
    <AdminFrame shell={shell} page="self-check" title={t("selfCheck")}>
      {findings.length === 0 ? (
        <Card flush>
          <EmptyState icon="check" title={t("nothingToMend")} />
        </Card>
      ) : (
        findings.map(({ code, isProblem, params }) => (
          <Notice kind={isProblem ? "warning" : "info"}>
            {t(`self-check-${code}`, { here: "", configured: "", count: 0, name: "", ...params })}
          </Notice>
        ))
      )}
      <p class="muted">{t("selfCheckHint")}</p>
    </AdminFrame>
  );
}

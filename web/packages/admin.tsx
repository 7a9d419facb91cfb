import { AdminFrame } from "../admin/admin-frame.tsx";
import { SubmitButton } from "../components/button.tsx";
import { useLanguage, useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { PackageList, type PackageListProps } from "./list.tsx";
import { packagesWords } from "./words/index.ts";

export const ADMIN_PACKAGES = "/-/admin/packages";

/** `GET /-/admin/packages`: everyone's packages, and their size. */
export function AdminPackagesPage({
  list,
  shell,
  sizeBytes,
}: {
  shell: Shell;
  list: PackageListProps;
  sizeBytes: number;
}) {
  const t = useWords(packagesWords);
  const language = useLanguage();
  return (
    <AdminFrame shell={shell} page="packages" title={t("packages")}>
      <div class="row">
        <p class="grow">{t("takes", { size: language.size(sizeBytes) })}</p>
        <form method="post" action={`${ADMIN_PACKAGES}/cleanup`}>
          <SubmitButton>{t("cleanUp")}</SubmitButton>
        </form>
      </div>
      <PackageList {...list} />
    </AdminFrame>
  );
}

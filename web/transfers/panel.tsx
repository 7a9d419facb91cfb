import type { DashboardPanel } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type RepoName, repoHref } from "../links.ts";
import { transferWords } from "./words/index.ts";

const SHOWN = 20;

/** Repository transfers that the account, or one of its organizations, has to accept or reject. */
export const offersPanel: DashboardPanel = {
  id: "transfers",
  order: 5,
  place: "main",
  show: (services, call) => {
    const offers = services.transfers.offeredTo(call.principal, SHOWN).map(({ seen, transfer }) => ({
      owner: seen.owner.login,
      name: seen.repo.name,
      doer: transfer.doer.login,
      recipient: transfer.recipient.login,
    }));
    return offers.length === 0 ? null : <OffersCard offers={offers} />;
  },
};

interface Offer extends RepoName {
  readonly doer: string;
  readonly recipient: string;
}

function OffersCard({ offers }: { offers: readonly Offer[] }) {
  const t = useWords(transferWords);
  return (
    <Card title={t("offers")} flush>
      <ul class="list">
        {offers.map((offer) => (
          <li class="danger-row">
            <div>
              <a class="strong" href={repoHref(offer)}>
                {offer.owner}/{offer.name}
              </a>
              <p class="muted">{t("offerFrom", { doer: offer.doer, recipient: offer.recipient })}</p>
            </div>
            <div class="row">
              <form method="post" action={repoHref(offer, "action/accept_transfer")}>
                <SubmitButton>{t("accept")}</SubmitButton>
              </form>
              <form method="post" action={repoHref(offer, "action/reject_transfer")}>
                <SubmitButton kind="quiet">{t("reject")}</SubmitButton>
              </form>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

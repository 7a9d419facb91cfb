/** Shows a preview of the chosen picture before it is uploaded. */
function showPreview(field: HTMLInputElement, place: Element): void {
  const file = field.files?.[0];
  if (!file) return;
  const reader = new FileReader();
  reader.addEventListener("load", () => {
    const picture = document.createElement("img");
    picture.className = "av av-s96";
    picture.width = 96;
    picture.height = 96;
    picture.alt = "";
    picture.src = String(reader.result);
    place.replaceChildren(picture);
  });
  reader.readAsDataURL(file);
}

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches("[data-preview]")) return;
  const place = document.querySelector(target.dataset["preview"] ?? "");
  if (place) showPreview(target, place);
});

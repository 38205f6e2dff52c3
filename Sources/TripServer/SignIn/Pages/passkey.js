"use strict";
// Has the browser make a passkey or sign with one, and hands over in a form what came of it.
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const make = async (form, asked) => {
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: bytes(asked.challenge),
      rp: { id: asked.party, name: "VA Ambulance Trip Analysis" },
      user: { id: bytes(asked.handle), name: asked.name, displayName: asked.name },
      pubKeyCredParams: asked.algorithms.split(" ").map((alg) => ({ type: "public-key", alg: Number(alg) })),
      excludeCredentials: asked.known.split(" ").filter(Boolean)
        .map((id) => ({ type: "public-key", id: bytes(id) })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
    },
  });
  form.elements.client_data.value = text(made.response.clientDataJSON);
  form.elements.attestation.value = text(made.response.attestationObject);
};

const sign = async (form, asked) => {
  const signed = await navigator.credentials.get({
    publicKey: { challenge: bytes(asked.challenge), rpId: asked.party, userVerification: "required" },
  });
  form.elements.passkey.value = signed.id;
  form.elements.client_data.value = text(signed.response.clientDataJSON);
  form.elements.authenticator_data.value = text(signed.response.authenticatorData);
  form.elements.signature.value = text(signed.response.signature);
  form.elements.user_handle.value = signed.response.userHandle ? text(signed.response.userHandle) : "";
};

for (const form of document.querySelectorAll("form[data-use]")) {
  if (!window.PublicKeyCredential) continue;
  form.hidden = false;
  for (const each of document.querySelectorAll("[data-without=passkeys]")) each.hidden = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await (form.dataset.use === "make" ? make : sign)(form, form.dataset);
    } catch (error) {
      // The server counts how often nothing was signed, and asks for the password then.
      if (form.dataset.use === "sign") return form.submit();
      const notice = form.querySelector(".notice");
      notice.textContent = error.name === "InvalidStateError"
        ? "This device has a passkey of yours already."
        : error.name === "SecurityError"
        ? `Passkeys of this site are made at ${form.dataset.party} alone. Open the page there.`
        : "No passkey came of it. Try again.";
      notice.hidden = false;
      return;
    }
    form.submit();
  });
}

#!/usr/bin/env bash
# Starts a gateway, sends three requests with curl, and shows what is stored. With OPENAI_API_KEY they go to OpenAI.
set -euo pipefail
port=${PORT:-8787}
export MODEL_PORT=${MODEL_PORT:-4010}
gateway=http://127.0.0.1:$port
upstream=()
if [ -z "${OPENAI_API_KEY:-}" ]; then
  node model.ts &
  upstream=(--upstream "http://127.0.0.1:$MODEL_PORT/v1")
fi
trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT
node_modules/.bin/throughline gateway --json --folder data --port "$port" "${upstream[@]}" > started.json &
until [ -s started.json ]; do sleep 0.2; done
# The key is printed at the first start only.
if [ ! -f key ]; then node -p 'JSON.parse(fs.readFileSync("started.json")).firstKey' > key; fi

# The name of the conversation is in a header; a client that sends its own session id needs none.
ask() {
  curl -sS "$gateway/v1/chat/completions" -D headers \
    -H "content-type: application/json" \
    -H "x-throughline-key: $(cat key)" \
    -H "authorization: Bearer ${OPENAI_API_KEY:-none}" \
    -H "x-throughline-conversation: my-talk" \
    -d "{\"model\":\"gpt-5-mini\",\"messages\":$1}" | node -p 'JSON.parse(fs.readFileSync(0)).choices[0].message.content'
  grep -i "^x-throughline-decision" headers
}
hello='{"role":"user","content":"Hello."}'
answer='{"role":"assistant","content":"I got 1 messages."}'
ask "[$hello]"
ask "[$hello,$answer,{\"role\":\"user\",\"content\":\"The port is 6432.\"}]"

id=$(grep -i "^x-throughline-conversation" headers | tr -d '\r' | cut -d ' ' -f 2)
curl -sS "$gateway/v1/conversations/$id/recall?query=hello" -H "authorization: Bearer $(cat key)"
echo

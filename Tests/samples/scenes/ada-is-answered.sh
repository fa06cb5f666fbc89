# When Ada has said something, an agent answers from another terminal.
( until sparring conversation show ada 2>&- | grep -q Hello; do sleep 0.05; done; sparring agent say ada 'How can I help?' ) >agent.txt 2>&1 &

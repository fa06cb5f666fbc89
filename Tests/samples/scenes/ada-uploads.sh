# Ada has asked for a URL, and has a receipt.
consumer ada arrives , opens , follows , uploads receipt.png 20480 || return
UPLOAD=$(cat upload.url)
printf '\211PNG\r\n\032\n' > receipt.png
head -c 20472 /dev/zero >> receipt.png

"""What people say without asking anything: nothing should come to mind for it."""

SMALL_TALK = (
    "hi", "hello everyone", "hey, how's it going?", "good evening!", "good night, sleep well", "lol", "hahaha",
    "that's so true", "no way!", "omg", "sounds good", "sure thing", "okay", "yes", "no", "maybe later", "thank you!",
    "you're welcome", "see you tomorrow", "brb", "I'm bored", "what's new?", "how are you?", "congrats!", "nice one",
    "happy birthday!", "be right back", "I agree", "wait what", "never mind", "same here", "good luck!", "bye",
    "你好", "大家好", "在吗？", "早", "晚上好", "哈哈", "笑死我了", "是的", "不是吧", "好吧", "没事", "谢谢", "不客气",
    "拜拜", "明天见", "辛苦了", "加油", "真的吗？", "太好了", "怎么了？", "最近怎么样？", "无聊", "睡了", "生日快乐",
    "嗯嗯", "好的好的", "我也是",
)  # fmt: skip
